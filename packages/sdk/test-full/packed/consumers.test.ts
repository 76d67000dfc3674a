import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf } from '../../../../harness/process.ts';
import { type FakeGateway, serveFakeGateway } from '../../test/fake-gateway.ts';
import { installNodes, nodeBinary, nodeMajors, versionOf } from './nodes.ts';
import { type Packed, pack } from './pack.ts';

let packed: Packed;
let gateway: FakeGateway;

beforeAll(async () => {
  [packed, gateway] = await Promise.all([pack(), serveFakeGateway(), installNodes()]);
  const programs = fileURLToPath(new URL('../consumers/run', import.meta.url));
  await cp(programs, packed.project, { recursive: true });
});

afterAll(async () => {
  gateway?.close();
  await packed?.remove();
});

/** Runs a consumer in the project with the tarball; returns its output. */
async function runConsumer(binary: string, file: string, more: NodeJS.ProcessEnv = {}) {
  const env = { PATH: process.env.PATH, MODEL_GATEWAY_URL: gateway.baseUrl, ...more };
  const ended = await endOf(binary, [join(packed.project, file)], { env });
  expect(ended).toMatchObject({ code: 0 });
  const printed: unknown = JSON.parse(ended.stdout);
  return printed;
}

const expected = {
  names: ['LlmError', 'ToolError', 'addUsd', 'createClient', 'metaOf', 'tool'],
  isOneClass: true,
  chat: 'You said: Hello',
  retried: 'You said: flaky',
  refused: { isLlmError: true, code: 'INSUFFICIENT_CREDITS', status: 402, attempts: 1 },
  stalled: { isLlmError: true, code: 'TIMEOUT', status: 0, attempts: 1 },
  redirected: { isLlmError: true, code: 'HTTP_307', status: 307, attempts: 1 },
  aborted: { isLlmError: true, code: 'ABORTED', status: 0, attempts: 1 },
  badUse: { isLlmError: false, code: 'TypeError' },
  unreachable: { isLlmError: true, code: 'NETWORK', status: 0, attempts: 1 },
  words: ['You ', 'said: ', 'Hello'],
  collected: 'You said: cut',
  left: { isLlmError: true, code: 'ABORTED', status: 0, attempts: 1 },
  object: { city: 'Oslo', celsius: 7 },
  turns: ['Oslo: 7 degrees', 'It is 7 degrees in Oslo.'],
  run: { turns: 2, costUsd: '0.000366', stopReason: 'done' },
  told: 'It is 7 degrees in Oslo.',
  app: 'search',
  models: 1,
  credits: 'user 1',
  fake: 'scripted',
  fakeFailure: { isLlmError: true, code: 'BUDGET_EXCEEDED', status: 429, attempts: 1 },
};

describe.each(nodeMajors)('the packed client on Node %s', (major) => {
  test('really runs on that Node', async () => {
    const version = await versionOf(nodeBinary(major));
    expect(version).toMatch(major === '18' ? /^v18\.0\.0$/ : new RegExp(`^v${major}\\.`));
  });

  test.each(['consumer.mjs', 'consumer.cjs'])('works for %s', async (file) => {
    expect(await runConsumer(nodeBinary(major), file)).toEqual(expected);
  });
});

describe('leftovers of calls', () => {
  const rows = [
    { major: '26', calls: 10_000 },
    { major: '18', calls: 2_000 },
  ] as const;
  for (const { major, calls } of rows) {
    test(`${calls} calls with aborts on Node ${major}: no listener, timer or socket`, async () => {
      const env = { CALLS: String(calls) };
      const seen = await runConsumer(nodeBinary(major), 'leaks.cjs', env);
      expect(seen).toMatchObject({ calls, listeners: 0, timers: 0, sockets: 0 });
      // It reached all its outcomes.
      expect(seen).toHaveProperty('outcomes.answered');
      expect(seen).toHaveProperty('outcomes.ABORTED');
      expect(seen).toHaveProperty('outcomes.INSUFFICIENT_CREDITS');
      // The process exited by itself: its sockets closed with it.
      await expect.poll(() => gateway.connections()).toBe(0);
    });
  }
});
