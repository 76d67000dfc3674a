import { afterAll, beforeAll, expect, test } from 'vitest';
import { callIdOf } from '../../src/lib/id.ts';
import { meetChat } from '../support/exchange.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

let stack: Stack;
let desk: Desk;
let ids: readonly string[];
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(defaultYaml));
  const made: string[] = [];
  for (const model of ['sim-echo', 'sim-truncated', 'sim-echo']) {
    const answer = await meetChat(stack, 'search', model);
    made.push(answer.headers.get('x-call-id') ?? '');
    await stack.clock.advance(600_000);
  }
  ids = made;
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

async function listed(...options: readonly string[]) {
  const page = await desk.record(['calls', 'list', ...options]);
  const calls = Array.isArray(page.calls) ? page.calls : [];
  return { ...page, calls: calls.map(({ id }) => ids.indexOf(String(id))) };
}

test('calls are listed, the newest first, and others on the next page', async () => {
  const whole = { after: null, searchedBackTo: null };
  expect(await listed()).toEqual({ calls: [2, 1, 0], ...whole });
  expect(await listed('--limit', '2')).toEqual({ calls: [2, 1], ...whole, after: ids[1] });
  expect(await listed('--after', ids[1] ?? '')).toEqual({ calls: [0], ...whole });
  expect((await listed('--code', 'TRUNCATED', '--app', 'search')).calls).toEqual([1]);
  expect((await listed('--since', '15m')).calls).toEqual([2]);
  const { out } = await desk.run(['calls', 'list', '--limit', '1', '--config', desk.file]);
  expect(out).toHaveLength(3);
  expect(out[0]).toMatch(/^call +started +app +key +user +model +code +cost USD +estimated USD$/);
  expect(out[2]).toBe(`More results might exist: continue with --after ${ids[2]}`);
});

test('the most expensive are listed first, without those that cost nothing', async () => {
  const page = await desk.record(['calls', 'list', '--order', 'cost']);
  const calls = Array.isArray(page.calls) ? page.calls : [];
  const costs = calls.map(({ costUsd }) => Number(costUsd));
  expect(costs.length).toBeGreaterThan(1);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  expect(page.unsearched).toBeNull();
  const one = await desk.run([
    'calls',
    'list',
    '--order',
    'cost',
    '--limit',
    '1',
    '--config',
    desk.file,
  ]);
  expect(one.out).toHaveLength(2);
});

test('a call is shown by its own id, and by the gateway’s id of its request', async () => {
  const [callId = ''] = ids;
  const requestId = callId.replace('call_', 'req_');
  expect(callIdOf(requestId)).toBe(callId);
  expect(await desk.json(['calls', 'show', requestId])).toEqual(
    await desk.json(['calls', 'show', callId]),
  );
  const unknown = await desk.run(['calls', 'show', 'req_x', '--config', desk.file]);
  expect([unknown.code, unknown.errors[0]]).toEqual([
    1,
    expect.stringMatching(
      /^unknown call "req_x"\. The call id is in the response header x-call-id/,
    ),
  ]);
});

test('a corrected call shows who, when, the change, the reason, and its reservation', async () => {
  const [callId = ''] = ids;
  const before = await desk.record(['calls', 'show', callId]);
  const correct = ['calls', 'correct', callId, '--usd', '0.0000001'];
  await desk.json([...correct, '--reason', 'the bill says so', '--reference', 'bill-7']);
  await stack.clock.advance(1_000);
  await desk.json(['calls', 'correct', callId, '--usd', '0.0000002']);
  const after = await desk.record(['calls', 'show', callId]);
  expect(after).toMatchObject({ costUsd: '0.0000002', heldUsd: before.heldUsd });
  const by = { at: expect.stringMatching(/Z$/), actor: expect.stringMatching(/^cli:/) };
  expect(after.corrections).toEqual([
    {
      ...{ ...by, action: 'call.correct', fromUsd: before.costUsd, toUsd: '0.0000001' },
      ...{ reason: 'the bill says so', reference: 'bill-7' },
    },
    {
      ...{ ...by, action: 'call.correct', fromUsd: '0.0000001', toUsd: '0.0000002' },
      ...{ reason: null, reference: null },
    },
  ]);
  const { out } = await desk.run(['calls', 'show', callId, '--config', desk.file]);
  expect(out.at(-2)).toMatch(
    /cli:\S+ +call.correct +\$\S+ +\$0.0000001 +bill-7 +the bill says so$/,
  );
});

test.each([
  [['--limit', '0'], '--limit must be a whole number from 1 to 200; it is 0'],
  [['--limit', '201'], '--limit must be a whole number from 1 to 200; it is 201'],
  [['--since', 'tomorrow'], '--since must be a day such as '],
  [['--until', '2026-11-31'], '--until must be a day such as '],
  [['--since', '1h', '--until', '2h'], 'until must be later than since'],
  [['--min-usd', 'much'], '--min-usd must be '],
  [['--order', 'cost', '--after', `call_${'0'.repeat(26)}`], 'a list by cost has no next page'],
  [['--after', 'call_x'], '--after must be a call id, '],
  [['--code', 'ok'], '--code must be a code such as OK or TIMEOUT'],
  [['--user', ''], '--user must not be empty'],
])('an invalid search is rejected with its option and value: %s', async (options, sentence) => {
  const result = await desk.run(['calls', 'list', ...options, '--config', desk.file]);
  expect([result.code, result.out]).toEqual([2, []]);
  expect(result.errors[0]).toContain(sentence);
});
