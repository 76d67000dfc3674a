import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from './support/desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
listen: { port: 0 }
admin: { port: 0 }
platforms:
  oa: { kind: openai, apiKey: key }
  bedrock: { kind: bedrock-mantle, region: us-east-1, apiKey: key }
apps:
  - { name: search, project: prod-acme-core-billing }
  - { name: tutor }
`;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ yaml });
});
afterEach(() => desk.close());

const run = (...words: string[]) => desk.run([...words, '--config', desk.file]);

test.each([
  ['search', 'oa', 'default', 'of all calls without one'],
  ['search', 'oa', 'DEFAULT', 'of all calls without one'],
  ['search', 'bedrock', 'Default', 'of all calls without one'],
  ['search', 'bedrock', 'foo', 'use the id (proj_…)'],
  ['search', 'bedrock', 'proj_a-b', 'use the id (proj_…)'],
])('projects bind %s %s %s is rejected', async (app, platform, id, says) => {
  const { code, out, errors } = await run('projects', 'bind', app, platform, id);
  expect({ code, out, lines: errors.length }).toEqual({ code: 2, out: [], lines: 1 });
  expect(errors[0]).toContain(says);
});

test('projects bind rejects an id that another app has', async () => {
  expect((await run('projects', 'bind', 'search', 'oa', 'proj_same')).code).toBe(0);
  const { code, out, errors } = await run('projects', 'bind', 'tutor', 'oa', 'proj_same');
  expect({ code, out }).toEqual({ code: 1, out: [] });
  expect(errors).toEqual([
    expect.stringMatching(
      /^proj_same is already the project of the app search; each app needs its own/,
    ),
  ]);
});

test('apps create rejects an app whose project has the name of another’s', async () => {
  const { code, errors } = await run('apps', 'create', 'billing');
  expect(code).toBe(1);
  expect(errors).toEqual([
    expect.stringMatching(/^prod-acme-core-billing is already the project of the app search; /),
  ]);
  const apps = await desk.records(['apps', 'list']);
  expect(apps.map(({ name }) => name)).toEqual(['search', 'tutor']);
});

test('startup rejects a file whose app has a project of an app from the command line', async () => {
  expect((await run('apps', 'create', 'cliapp')).code).toBe(0);
  const text = await readFile(desk.file, 'utf8');
  await writeFile(desk.file, `${text}  - { name: a2, project: prod-acme-core-cliapp }\n`);
  const sentence = /^app a2: prod-acme-core-cliapp is already the project of the app cliapp; /;
  const listed = await run('apps', 'list');
  expect(listed).toMatchObject({ code: 0, errors: [expect.stringMatching(sentence)] });
  expect(listed.out.join('\n')).not.toContain('a2');
  const started = await run('serve');
  expect(started).toEqual({ code: 1, out: [], errors: [expect.stringMatching(sentence)] });
});
