import { describe, expect, test } from 'vitest';
import { formatUsd } from '../../src/lib/money.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { selectCallRecord } from '../../src/store/queries/ledger.ts';
import { chatOf, type Exchange, meetChat, prompted, send } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import { asPrompted, platformError } from '../support/platform-outcomes.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { defaultYaml, openStack, type Stack } from '../support/stack.ts';

/** The two headers of a response. */
function told({ headers }: Pick<Exchange, 'headers'>) {
  return { callId: headers.get('x-call-id'), costUsd: headers.get('x-cost-usd') };
}

/** The ledger's record of the call that a response names. */
async function bookedUsd(stack: Stack, { callId }: ReturnType<typeof told>): Promise<string> {
  const record = await stack.store.read(selectCallRecord(callId ?? 'none'));
  if (record === undefined) throw new Error(`the books have no call ${callId}`);
  return formatUsd(record.cost);
}

describe('a response names its call, and its body the cost', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const tools = [{ name: 'look_up', inputSchema: schema }];
  test.each([
    { path: '/v1/chat', more: {} },
    { path: '/v1/objects', more: { schema } },
    { path: '/v1/agents/run', more: { tools } },
  ])(
    '$path',
    onStack(async (stack, { path, more }: { path: string; more: object }) => {
      const answer = await stack.post('search', path, chatOf('sim-echo', more));
      const { id } = Object(await answer.json());
      expect(id).toMatch(/^call_/);
      expect([answer.status, told(answer)]).toEqual([200, { callId: id, costUsd: null }]);
    }),
  );
});

describe('an error of an admitted call names it, and its booked cost', () => {
  const shared = sharedStack({ script: asPrompted() });
  const rows = [
    { name: 'TRUNCATED, exactly', model: 'sim-truncated', more: {}, isBilled: true },
    { name: 'SERVER, as an estimate', model: 'sim-html', more: {}, isBilled: true },
    { name: 'SERVER, three estimates', model: 'sim-reset', more: {}, isBilled: true },
    { name: 'SERVER, not billed', model: 'sim-down', more: {}, isBilled: false },
    { name: 'THROTTLED', model: 'sim-throttled', more: {}, isBilled: false },
    { name: 'BAD_REQUEST', model: 'sim-rejects', more: {}, isBilled: false },
    {
      name: 'SERVER of an unpriced model, at the dearest rates',
      model: 'sim-unpriced',
      more: prompted('status 502'),
      isBilled: true,
    },
  ];
  test.each(rows)('$name', async ({ model, more, isBilled }) => {
    const { stack, newApp } = shared();
    await stack.clock.advance(10_000);
    const seen = told(await meetChat(stack, await newApp(), model, more));
    const booked = await bookedUsd(stack, seen);
    expect(booked !== '0').toBe(isBilled);
    expect(seen.costUsd).toBe(isBilled ? booked : null);
  });

  test.each(['/v1/objects', '/v1/agents/run'])('BAD_OUTPUT of %s', async (path) => {
    const { stack, newApp } = shared();
    const tool = { name: 'a', inputSchema: { type: 'object' } };
    const more = path === '/v1/objects' ? { schema: { type: 'object' } } : { tools: [tool] };
    const answer = await stack.post(await newApp(), path, chatOf('sim-wrong-tool', more));
    const seen = told(answer);
    expect([answer.status, seen.costUsd]).toEqual([502, await bookedUsd(stack, seen)]);
    expect(seen.costUsd).not.toBe('0');
  });

  test('SERVER of an unpriced model that is free', async () => {
    const { stack, newApp } = shared();
    await stack.clock.advance(10_000);
    const app = await newApp({ unpriced: 'free' });
    const seen = told(await meetChat(stack, app, 'sim-unpriced', prompted('status 502')));
    expect([await bookedUsd(stack, seen), seen.costUsd]).toEqual(['0', null]);
  });

  test('THROTTLED after an attempt that may have been billed: the estimate', async () => {
    const outcomes = [platformError(502), platformError(429), platformError(429)];
    const stack = await openStack({ script: () => outcomes.shift() });
    const seen = told(await meetChat(stack, 'search', 'sim-echo'));
    expect(seen.costUsd).toBe(await bookedUsd(stack, seen));
    expect(seen.costUsd).not.toBe('0');
    await stack.close();
  });

  test(
    'TIMEOUT, which is sent before anything is booked: only its id',
    onStack(async (stack) => {
      const seen = told(await meetChat(stack, 'search', 'sim-timeout'));
      expect(seen).toEqual({ callId: expect.stringMatching(/^call_/), costUsd: null });
      await stack.clock.advance(4_000);
      expect(await bookedUsd(stack, seen)).toBe('0.000006');
    }),
  );

  test(
    "the gateway's own 504, which is made in front of the API: only its id",
    onStack(
      async (stack) => {
        const answer = await meetChat(stack, 'search', 'sim-timeout');
        expect(answer.text).toBe('{"message":"Endpoint request timed out"}');
        expect(told(answer)).toEqual({ callId: expect.stringMatching(/^call_/), costUsd: null });
      },
      { yaml: defaultYaml.replace('apps:', 'limits: { gatewayMs: 2000 }\napps:') },
    ),
  );
});

describe('a retry names the call that was made, and its cost', () => {
  const key = { headers: { 'idempotency-key': 'k1' } };
  const post = async (stack: Stack, body: object, path = '/v1/chat') =>
    stack.post('search', path, body, key);

  test.each([{ model: 'sim-echo' }, { model: 'sim-truncated' }])(
    'that is stored: $model',
    onStack(async (stack, { model }: { model: string }) => {
      const first = await post(stack, chatOf(model));
      const again = await post(stack, chatOf(model));
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(told(again)).toEqual(told(first));
    }),
  );

  test(
    'whose cost was corrected since',
    onStack(async (stack) => {
      const { callId } = told(await post(stack, chatOf('sim-truncated')));
      await correctCall(stack.admin, { callId: callId ?? '', usd: '0.000000000005' });
      const again = await post(stack, chatOf('sim-truncated'));
      expect(told(again)).toEqual({ callId, costUsd: '0.000000000005' });
    }),
  );

  test(
    'that ran at the time of the retry, and ended with BAD_OUTPUT',
    onStack(
      async (stack) => {
        const body = chatOf('sim-echo', { schema: { type: 'object' } });
        const headers = { 'x-api-key': await stack.key('search'), ...json, ...key.headers };
        const request = { method: 'POST', headers, body: JSON.stringify(body) };
        const posts = [1, 2, 3].map(() => stack.fetch(`http://gateway.test/v1/objects`, request));
        const answers = await stack.clock.run(Promise.all(posts));
        expect(answers.map(({ status }) => status)).toEqual([502, 502, 502]);
        const [one, ...others] = answers.map(told);
        expect(others).toEqual([one, one]);
        expect(one?.costUsd).toBe(one && (await bookedUsd(stack, one)));
        expect(stack.simulator.bill().total.calls).toBe(1);
      },
      { script: () => ({ kind: 'answer', text: 'no JSON', delayMs: 500 }) },
    ),
  );

  test(
    'that another process took over: both have the response of the second',
    onStack(async (stack) => {
      const body = JSON.stringify(chatOf('sim-slow'));
      const headers = { 'x-api-key': await stack.key('search'), ...json, ...key.headers };
      const request = () =>
        stack.fetch('http://gateway.test/v1/chat', { method: 'POST', headers, body });
      const first = request();
      await stack.clock.settle();
      await stack.store.write([{ sql: "update idempotency set owner = 'gone'", values: [] }]);
      const second = await stack.clock.run(request());
      const { id } = Object(await second.json());
      expect([second, await stack.clock.run(first)].map(told)).toEqual([
        { callId: id, costUsd: null },
        { callId: id, costUsd: null },
      ]);
      expect(stack.simulator.bill().total.calls).toBe(2);
    }),
  );

  test(
    'the next call under a key after a BAD_OUTPUT is another, with its own cost',
    onStack(async (stack) => {
      const body = chatOf('sim-wrong-shape', { schema: { type: 'object' } });
      const seen = [
        told(await post(stack, body, '/v1/objects')),
        told(await post(stack, body, '/v1/objects')),
      ];
      expect(new Set(seen.map(({ callId }) => callId)).size).toBe(2);
      for (const one of seen) expect(one.costUsd).toBe(await bookedUsd(stack, one));
      expect(stack.simulator.bill().total.calls).toBe(2);
    }),
  );
});

test(
  'a request that was not admitted has neither',
  onStack(
    async (stack) => {
      const headers = { 'x-api-key': await stack.key('search') };
      const neither = { callId: null, costUsd: null };
      expect(told(await send(stack, '/v1/usage', { headers }))).toEqual(neither);
      expect(told(await send(stack, '/v1/usage'))).toEqual(neither);
      expect(told(await meetChat(stack, 'search', 'sim-echo', { maxTokens: 0 }))).toEqual(neither);
      expect(told(await meetChat(stack, 'tutor', 'sim-echo'))).toEqual(neither);
      const spent = await meetChat(stack, 'poor', 'sim-echo');
      expect([spent.status, told(spent)]).toEqual([429, neither]);
    },
    { yaml: `${defaultYaml}  - { name: poor, dailyBudgetUsd: "0" }\n` },
  ),
);

const json = { 'content-type': 'application/json' };
