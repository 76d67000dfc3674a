import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOf } from '../../../../harness/process.ts';
import { ownLauncher, startServed } from '../support/process.ts';
import { runBin, systemNode } from './support/bin.ts';
import { type Desk, openDesk } from './support/desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

test('the launcher prints a document, reads standard input and forwards exit codes', async () => {
  const config = ['--config', desk.file];
  const list = await runBin(['apps', 'list', '--json', ...config]);
  expect(list).toMatchObject({ code: 0, errors: '' });
  expect(JSON.parse(list.out)).toContainEqual(expect.objectContaining({ name: 'search' }));
  const importing = ['keys', 'import', '--name', 'odd', '--customer-id', 'search', '--key-stdin'];
  const input = 'a-key-from-standard-input\n';
  const imported = await runBin([...importing, '--json', ...config], { input });
  expect(JSON.parse(imported.out)).toMatchObject({ key: input.trim(), role: null });
  expect(await runBin(['nothing'])).toMatchObject({ code: 2, out: '' });
  expect(await runBin(['usage', 'nobody', ...config])).toMatchObject({ code: 1, out: '' });
});

test('the default file is ./gateway.yaml', async () => {
  const { code, out } = await runBin(['apps', 'list', '--json'], { cwd: desk.folder });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ name: 'search' }));
});

test("the system's Node starts the launcher, whatever its version", async (context) => {
  const node = systemNode();
  if (node === undefined) {
    context.skip('there is no Node but the one that npm installed');
    return;
  }
  const ended = await runBin(['audit', '--json', '--config', desk.file], { node });
  expect(ended).toMatchObject({ code: 0, errors: '' });
  expect(JSON.parse(ended.out)).toMatchObject({ clean: true });
  expect(await runBin(['nothing'], { node })).toMatchObject({ code: 2, out: '' });
  const simulator = await startServed(['simulator', '--port', '0'], { node });
  expect(await simulator.end('SIGTERM')).toBe(0);
});

test.each([
  ['1', '--no-concurrent-marking\n'],
  ['2', ''],
])('on %s cores the garbage collector gets %j', async (cores, flags) => {
  const hook = fileURLToPath(new URL('support/one-core.mjs', import.meta.url));
  const environment = { CORES: cores, NODE_OPTIONS: `--import=${hook}` };
  const { code, stderr } = await endOf(process.execPath, [ownLauncher, 'help'], { environment });
  expect([code, stderr]).toEqual([0, flags]);
});

test('the simulator is a platform on a socket, and its bill can be read', async () => {
  const simulator = await startServed(['simulator', '--port', '0']);
  try {
    expect(simulator.lines()).toHaveLength(1);
    const messages = [{ role: 'user', content: 'Hello' }];
    const answer = await fetch(`${simulator.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sim-echo', messages }),
    });
    expect(answer.status).toBe(200);
    const bill = await fetch(`${simulator.url}/simulator/bill`);
    expect(await bill.json()).toMatchObject({ total: { calls: 1 } });
    const { port } = new URL(simulator.url);
    const taken = await runBin(['simulator', '--port', port]);
    expect(taken).toMatchObject({ code: 2, out: '' });
    expect(taken.errors).toMatch(/^cannot listen on port \d+: .*; choose another with --port\n$/);
  } finally {
    expect(await simulator.end('SIGTERM')).toBe(0);
  }
});
