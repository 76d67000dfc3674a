import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServed } from '../support/process.ts';
import { type Desk, documentOf, openDesk } from './support/desk.ts';

const yamlIn = (folder: string) => `
company: acme
store: "sqlite:${join(folder, 'text.db')}"
listen: { port: 0 }
admin: { port: 0 }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

test('a service without a file is served, and its commands act on its store', async () => {
  const environment = { MODEL_GATEWAY_CONFIG_TEXT: yamlIn(desk.folder) };
  const served = await startServed(['serve'], { cwd: desk.folder, environment });
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  const beside = await openDesk({ environment });
  const listed = await beside.run(['apps', 'list', '--json']);
  expect(documentOf(listed)).toMatchObject([{ name: 'search' }]);
  const checked = await beside.run(['config', 'check', '--json']);
  expect(documentOf(checked)).toMatchObject({ file: 'MODEL_GATEWAY_CONFIG_TEXT' });
  await beside.close();
  expect(await served.end('SIGTERM')).toBe(0);
});

test('with a file too, or an error in it, every command reports it and ends with 2', async () => {
  const text = yamlIn(desk.folder).replace('apps:', 'aps:');
  const beside = await openDesk({ environment: { MODEL_GATEWAY_CONFIG_TEXT: text } });
  const both = await beside.run(['apps', 'list', '--config', desk.file]);
  expect(both).toMatchObject({ code: 2, out: [] });
  expect(both.errors.join()).toContain(`and --config ${desk.file} are both set`);
  const wrong = await beside.run(['config', 'check']);
  expect(wrong).toMatchObject({ code: 2, out: [] });
  expect(wrong.errors.join('\n')).toMatch(/^aps: .*"apps"\? .*\nin MODEL_GATEWAY_CONFIG_TEXT$/);
  const init = await beside.run(['init']);
  expect(init).toMatchObject({ code: 2 });
  expect(init.errors.join()).toContain('unset it to write a file');
  await beside.close();
});
