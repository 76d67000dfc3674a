import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk } from './support/desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
listen: { port: 0 }
admin: { port: 0 }
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
`;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk({ yaml });
});
afterEach(() => desk.close());

const run = (...words: string[]) => desk.run([...words, '--config', desk.file]);

async function rewrite(from: string | RegExp, to: string) {
  await writeFile(desk.file, (await readFile(desk.file, 'utf8')).replace(from, to));
}

test('a file is checked separately: no store is opened or created', async () => {
  expect(await desk.json(['config', 'check'])).toEqual({
    ...{ file: desk.file, config: expect.stringMatching(/^[0-9a-f]{12}$/), company: 'acme' },
    ...{ store: 'sqlite', platforms: ['sandbox'], models: 0, apps: ['search', 'tutor'] },
  });
  await expect(readFile(join(desk.folder, 'gateway.db'))).rejects.toThrow('ENOENT');
  const other = join(desk.folder, 'other.yaml');
  await writeFile(other, 'company: acme\nplatform: {}\napps: [{ name: A }]\n');
  const { code, out, errors } = await desk.run(['config', 'check', other]);
  expect({ code, out }).toEqual({ code: 2, out: [] });
  const lines = errors.join('\n').split('\n');
  expect(lines[0]).toBe(
    'platform: is an unknown key; did you mean "platforms"? The keys are company, adminEmail, publicUrl, listen, admin, console, trustedProxies, store and 18 more',
  );
  expect(lines).toContain('platforms: is required');
  expect(lines.at(-1)).toBe(`in ${other}`);
});

test('a number of too many characters is an error with its path', async () => {
  await rewrite('port: 0', `port: ${'1'.repeat(401)}`);
  const { code, errors } = await run('config', 'check');
  expect(code).toBe(2);
  expect(errors.join('\n')).toMatch(/^listen\.port: is a number of more than 400 characters/);
});

test('an unusable platform is also found', async () => {
  await rewrite('{ kind: simulator }', '{ kind: ai-sdk, package: "@ai-sdk/nobody-has-it" }');
  const { code, errors } = await run('config', 'check');
  expect(code).toBe(2);
  expect(errors.join('\n')).toMatch(/^platforms\.sandbox: .*@ai-sdk\/nobody-has-it/);
});

test('a difference between file and store is shown, and nothing is changed', async () => {
  expect(await desk.json(['config', 'diff'])).toMatchObject({
    apps: [
      {
        ...{ app: 'search', atStart: 'create' },
        settings: [{ setting: 'dailyBudgetUsd', store: null, file: '5', isSet: true }],
      },
      { app: 'tutor', atStart: 'create' },
    ],
  });
  await desk.json(['apps', 'list']);
  expect((await run('config', 'diff')).out).toEqual([
    `Starting with ${desk.file} changes nothing; the store matches the file.`,
  ]);
  await desk.json(['apps', 'update', 'search', '--daily-budget-usd', '10']);
  await rewrite('monthlyGrant: "1000"', 'monthlyGrant: "500"');
  const { out } = await run('config', 'diff');
  expect(out.map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'app | at the start | setting | store | file',
    'search | unchanged | dailyBudgetUsd | 10 | 5',
    'tutor | set | credits | 1000 a month of $0.01 | 500 a month of $0.01',
  ]);
  const apps = await desk.records(['apps', 'list']);
  expect(apps).toMatchObject([{ drift: ['dailyBudgetUsd'] }, { drift: ['credits'] }]);
  const listed = await run('apps', 'list');
  expect(listed.out.slice(-4)).toEqual([
    '',
    '* search differs from the file: dailyBudgetUsd',
    '* tutor differs from the file: credits',
    'Run "config diff" to compare both.',
  ]);
  expect(listed.out[1]).toMatch(/^search .* file \* {2}/);
});

test('startup with a file that lacks an app in use fails, with the next step', async () => {
  await desk.json(['keys', 'issue', '--app', 'tutor', '--email', 'a@b.example']);
  await rewrite(/ {2}- \{ name: tutor.*\n/, '');
  const cures =
    /^this app is enabled in the store and has an active key, but is missing from .*gateway\.yaml: tutor\n(?:.*\n)+.*--keep-missing/;
  const diff = await run('config', 'diff');
  expect(diff).toMatchObject({ code: 1, errors: [expect.stringMatching(cures)] });
  expect(diff.out.at(-1)).toMatch(/^tutor +START REFUSED: not in the file$/);
  const refused = await run('serve');
  expect(refused).toEqual({ code: 1, out: [], errors: [expect.stringMatching(cures)] });
  expect(await desk.records(['apps', 'list'])).toMatchObject([
    {},
    { name: 'tutor', enabled: true, drift: ['missing'] },
  ]);
  const both = await run('serve', '--disable-missing', '--keep-missing');
  expect(both).toMatchObject({ code: 2, out: [] });
  const wrong = await openDesk({ yaml, environment: { MODEL_GATEWAY_MISSING_APPS: 'no' } });
  const unknown = await wrong.run(['serve', '--config', wrong.file]);
  await wrong.close();
  expect(unknown).toEqual({
    ...{ code: 2, out: [] },
    errors: ['MODEL_GATEWAY_MISSING_APPS: must be one of refuse, keep, disable; it is "no"'],
  });
});

test('warnings about an accepted file are reported, and the file is valid', async () => {
  await rewrite('name: search,', 'name: search, models: [sim-ech, nothing-like-it],');
  await rewrite(/listen: .*\nadmin: .*/, 'listen: { port: 8787 }\nadmin: { port: 8787 }');
  const { code, errors } = await run('config', 'check');
  expect({ code, errors }).toEqual({
    code: 0,
    errors: [
      'apps[0].models: the catalog has no model "sim-ech" (app search); did you mean "sim-echo"?',
      'apps[0].models: the catalog has no model "nothing-like-it" (app search); run "models list"',
      'admin.port: 8787 is also the port of listen; use different ports',
    ],
  });
});

test.each([
  [['usage', 'serch'], 'unknown app serch; run "apps list"; did you mean "search"?'],
  [['keys', 'issue', '--app', 'tutr', '--email', 'a@b.example'], 'did you mean "tutor"?'],
  [['report', '--month', '2026-11', '--app', 'serch'], 'did you mean "search"?'],
  [
    ['platforms', 'check', 'sandbx'],
    'unknown platform sandbx; the configuration has sandbox; did you mean "sandbox"?',
  ],
  [['report', '--month', '2026-11', '--by', 'modl'], 'did you mean "model"?'],
  [['apps', 'update', 'search', '--unpriced', 'refus'], 'did you mean "refuse"?'],
  [['usag'], '(Did you mean usage?)'],
  [['usage', '--jsn'], '(Did you mean --json?)'],
])('an almost valid word is answered with a suggestion: %j', async (words, question) => {
  await run('apps', 'list');
  const { errors } = await run(...words);
  expect(errors.join('\n')).toContain(question);
});

test('a folder without a configuration gets instructions to create one', async () => {
  const { code, errors } = await desk.run(['usage', '--config', join(desk.folder, 'none.yaml')]);
  expect(code).toBe(2);
  expect(errors.join()).toMatch(
    /none\.yaml: the file does not exist; .* or create one with "model-gateway init"$/,
  );
});

test('an unavailable database is named with its host, never with its password', async () => {
  const url = 'postgres://gateway:hunter2@127.0.0.1:1/books?sslmode=disable';
  const other = await openDesk({ yaml, environment: { MODEL_GATEWAY_STORE: url } });
  const { code, errors } = await other.run(['usage', '--config', other.file]);
  await other.close();
  expect(code).toBe(1);
  expect(errors.join('\n')).toMatch(/^cannot open the store books on 127\.0\.0\.1:1: [^\n]*$/);
  expect(errors.join('\n')).not.toContain('hunter2');
});
