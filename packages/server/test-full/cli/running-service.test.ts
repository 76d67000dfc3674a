import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBin } from '../../test/cli/support/bin.ts';
import { type Desk, deskYaml, openDesk, textOf } from '../../test/cli/support/desk.ts';
import {
  type Answer,
  chat,
  chatUntil,
  hasCode,
  hasStatus,
} from '../../test/cli/support/polling.ts';
import { type Served, startServed } from '../../test/support/process.ts';

/** Only a simulator: the first start creates keys by itself. */
const simulatorYaml = deskYaml.replace(/ {2}local:.*\nmodels:\n(?: {2}- .*\n)+/, '');
const issue = ['keys', 'issue', '--email', 'a@b.example', '--app'];

let desk: Desk;
let service: Served;
let key: string;
beforeAll(async () => {
  desk = await openDesk({ yaml: simulatorYaml });
  service = await startServed(['serve', '--config', desk.file]);
  key = textOf(await desk.record([...issue, 'search']), 'key');
  expect(await until(hasStatus(200))).toMatchObject({ status: 200 });
});
afterAll(async () => {
  await service.end('SIGTERM');
  await desk.close();
});

function until(isIt: (answer: Answer) => boolean, apiKey = key): Promise<Answer> {
  return chatUntil({ url: service.url, apiKey }, isIt);
}

test('the first start prints one ready line, a key for each app and a line to paste', () => {
  expect(service.lines().filter((line) => line.includes('ready at'))).toHaveLength(1);
  expect(service.lines().filter((line) => /^ +(search|tutor) +mgk_/.test(line))).toHaveLength(2);
  const pasted = service
    .lines()
    .filter((line) => line.startsWith(`curl -s ${service.url}/v1/chat`));
  expect(pasted).toHaveLength(1);
});

test('a key of the first start works', async () => {
  const line = service.lines().find((text) => /^ +search +mgk_/.test(text)) ?? '';
  const [, printed = ''] = line.trim().split(/ +/);
  expect(await chat(service.url, printed)).toMatchObject({ status: 200 });
});

test('an app that a command disables is rejected by the running service, then served', async () => {
  await desk.json(['apps', 'disable', 'search']);
  expect(await until(hasCode('DISABLED'))).toMatchObject({ status: 403 });
  await desk.json(['apps', 'enable', 'search']);
  expect(await until(hasStatus(200))).toMatchObject({ status: 200 });
});

test('a budget that a command lowers applies from then on, and so does its removal', async () => {
  await desk.json(['apps', 'update', 'search', '--daily-budget-usd', '0']);
  expect(await until(hasCode('BUDGET_EXCEEDED'))).toMatchObject({ status: 429 });
  await desk.json(['apps', 'update', 'search', '--daily-budget-usd', 'none']);
  expect(await until(hasStatus(200))).toMatchObject({ status: 200 });
});

test('an app that a command creates is served, with a key that a command disables', async () => {
  await desk.json(['apps', 'create', 'fresh']);
  const issued = await desk.record([...issue, 'fresh']);
  const fresh = textOf(issued, 'key');
  expect(await until(hasStatus(200), fresh)).toMatchObject({ status: 200 });
  await desk.json(['keys', 'disable', textOf(issued, 'id')]);
  expect(await until(hasStatus(403), fresh)).toEqual({
    status: 403,
    body: { message: 'Forbidden' },
  });
});

test('commands read what the running service writes', async () => {
  const { body } = await chat(service.url, key);
  const shown = await desk.record(['calls', 'show', String(body.id)]);
  expect(shown).toMatchObject({ state: 'finished', code: 'OK', app: 'search' });
  const usage = await desk.record(['usage', 'search']);
  expect(JSON.stringify(usage.models)).toContain('"sim-echo"');
  expect(await desk.json(['audit'])).toMatchObject({ clean: true });
});

test('a second service on the same store is rejected in one line, with exit code 1', async () => {
  const second = await runBin(['serve', '--config', desk.file]);
  expect(second).toMatchObject({ code: 1, out: '' });
  expect(second.errors).toMatch(/^another model-gateway uses the store [^\n]*\n$/);
});

test('a second service by a link to the same store is rejected too', async () => {
  const link = join(desk.folder, 'link.db');
  await symlink('gateway.db', link);
  const linked = join(desk.folder, 'linked.yaml');
  await writeFile(linked, simulatorYaml.replace('./gateway.db', './link.db'));
  const second = await runBin(['serve', '--config', linked]);
  expect(second).toMatchObject({ code: 1, out: '' });
  expect(second.errors).toMatch(
    /^another model-gateway uses the store [^\n]*gateway\.db; [^\n]*\n$/,
  );
  expect(await until(hasStatus(200))).toMatchObject({ status: 200 });
});

test('a port that is in use is a configuration error, and uses up no keys', async () => {
  const { port } = new URL(service.url);
  const late = await openDesk({ yaml: simulatorYaml.replace('port: 0', `port: ${port}`) });
  const result = await runBin(['serve', '--config', late.file]);
  expect(result).toMatchObject({ code: 2, out: '' });
  // The file's apps were created: each change of the store is a log line.
  const said = result.errors.split('\n').filter((line) => !line.includes('"msg":"audit line"'));
  expect(said.join('\n')).toMatch(/^cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*\n$/);
  expect(await late.records(['keys', 'list'])).toEqual([]);
  await late.close();
});

test('SIGTERM ends a service with exit code 0, and the next one starts on its store', async () => {
  const other = await openDesk({ yaml: simulatorYaml });
  const first = await startServed(['serve', '--config', other.file]);
  expect(await first.end('SIGTERM')).toBe(0);
  const keys = await other.records(['keys', 'list']);
  expect(keys.map(({ app }) => app)).toEqual(['search', 'tutor']);
  const second = await startServed(['serve', '--config', other.file]);
  expect(await second.end('SIGTERM')).toBe(0);
  expect(second.lines()).toHaveLength(1);
  expect(await other.json(['keys', 'list'])).toEqual(keys);
  await other.close();
});

test('a service bills its apps on a simulator in another process', async () => {
  const simulator = await startServed(['simulator', '--port', '0']);
  const platform = `{ kind: simulator, baseUrl: "${simulator.url}" }`;
  const apart = await openDesk({ yaml: simulatorYaml.replace('{ kind: simulator }', platform) });
  const { url, end } = await startServed(['serve', '--config', apart.file]);
  try {
    const apiKey = textOf(await apart.record([...issue, 'search']), 'key');
    const answer = await chatUntil({ url, apiKey }, hasStatus(200));
    expect(answer).toMatchObject({ status: 200 });
    const bill = await (await fetch(`${simulator.url}/simulator/bill`)).json();
    expect(bill).toMatchObject({ total: { calls: 1 }, missingProjectCalls: 0 });
  } finally {
    await end('SIGTERM');
    await simulator.end('SIGTERM');
    await apart.close();
  }
});
