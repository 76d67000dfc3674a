import { expect, test } from 'vitest';
import type { ReceivedBody } from '../../src/ingress/exchange/request.ts';
import { chatOf, meetChat, sendBody } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';

const kib = 1_024;
const yaml = (room: number) => `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { bodyBytesInFlight: ${room} }
plans: { user: { ratePerSecond: 0.001, burst: 100, requestsPerDay: 1000 } }
apps: [{ name: search, dailyBudgetUsd: "500" }, { name: tutor, dailyBudgetUsd: "500" }]
`;
const nothing = { requests: 0, bodyBytes: 0 };

/** A chat with this many empty objects: 3 bytes each, and two values of 64 bytes in memory. */
function objects(model: string, count: number): string {
  const input = Array.from({ length: count }, () => ({}));
  return JSON.stringify({
    ...chatOf(model),
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', toolCalls: [{ id: 'c', name: 'look', input }] },
      { role: 'tool', toolCallId: 'c', content: 'done' },
    ],
  });
}

test(
  'many small bodies of many values are limited by their parsed size',
  onStack(
    async (stack) => {
      const body = objects('sim-slow', 2_000);
      await stack.key('search');
      const calls = Array.from({ length: 20 }, () => stack.post('search', '/v1/chat', body));
      await stack.clock.settle();
      const { requests = 0, bodyBytes = 0 } = stack.service.concurrency.loads().get('search') ?? {};
      // Their bytes are 120 KiB of the 1,000 KiB.
      expect([requests, bodyBytes > 3 * 4_000 * 64]).toEqual([3, true]);
      expect((await meetChat(stack, 'tutor', 'sim-echo')).status).toBe(200);
      const statuses = (await stack.clock.run(Promise.all(calls))).map(({ status }) => status);
      expect([200, 429].map((of) => statuses.filter((status) => status === of).length)).toEqual([
        3, 17,
      ]);
      const limited = stack.logLines.filter(({ fields }) => fields.status === 429);
      expect(new Set(limited.map(({ fields }) => fields.reason))).toEqual(new Set(['body-bytes']));
      expect(stack.service.concurrency.load()).toEqual(nothing);
      expect((await sendBody(stack, 'search', body)).status).toBe(200);
    },
    { yaml: yaml(1_000 * kib) },
  ),
);

test(
  'a body with more values than fit is served by itself, and makes others wait',
  onStack(
    async (stack) => {
      await stack.key('search');
      const large = stack.post('search', '/v1/chat', objects('sim-slow', 2_000));
      await stack.clock.settle();
      expect(stack.service.concurrency.load()).toEqual({ requests: 1, bodyBytes: 200 * kib });
      expectGateway(await meetChat(stack, 'tutor', 'sim-echo'), 'TOO_MANY_REQUESTS', '1');
      expect((await stack.clock.run(large)).status).toBe(200);
      expect(stack.service.concurrency.load()).toEqual(nothing);
    },
    { yaml: yaml(200 * kib) },
  ),
);

test(
  'a body that is rejected after its values took room frees the room',
  onStack(
    async (stack) => {
      const body = objects('sim-none', 2_000);
      for (let call = 0; call < 5; call++) {
        expect((await sendBody(stack, 'search', body)).status).toBe(404);
        expect(stack.service.concurrency.load()).toEqual(nothing);
      }
    },
    { yaml: yaml(300 * kib) },
  ),
);

test.each([
  ['of many values', 2_000],
  ['of 95,000 values', 47_500],
])('the bytes of a body %s are released before its platform responds', (_, count) =>
  onStack(async (stack) => {
    const body = receivedOf(objects('sim-slow', count));
    const answer = stack.service.ingress.handle(await requestOf(stack, body));
    await stack.clock.settle();
    expect(stack.service.concurrency.load().requests).toBe(1);
    expect(body.bytes).toBeUndefined();
    expect((await stack.clock.run(answer)).status).toBe(200);
  })(),
);

test(
  'a body that is rejected after its bytes were released pays for its values',
  onStack(
    async (stack) => {
      // One request, and three for 20,000 values, of a burst of five.
      const body = receivedOf(objects('sim-echo', 30_000));
      const refused = await stack.clock.run(
        stack.service.ingress.handle(await requestOf(stack, body)),
      );
      expect([refused.status, body.bytes]).toEqual([429, undefined]);
      expect(JSON.parse(refused.body).error.code).toBe('BUDGET_EXCEEDED');
      const { status } = await meetChat(stack, 'search', 'sim-echo');
      expect(status).toBe(429);
      expectGateway(await meetChat(stack, 'search', 'sim-echo'), 'TOO_MANY_REQUESTS', '1000');
    },
    {
      yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 0.001, burst: 5, requestsPerDay: 1000 } }
apps: [{ name: search, dailyBudgetUsd: "0.000001" }]
`,
    },
  ),
);

function receivedOf(text: string): ReceivedBody {
  const bytes = Buffer.from(text);
  return { bytes, byteLength: bytes.byteLength, values: undefined };
}

/** A chat whose body has arrived. */
async function requestOf(stack: Stack, body: ReceivedBody) {
  const key = await stack.key('search');
  const headers = new Map([
    ['x-api-key', key],
    ['content-type', 'application/json'],
  ]);
  return {
    ...{ method: 'POST', path: '/v1/chat', remote: undefined },
    header: (name: string) => headers.get(name),
    isRepeated: () => false,
    announcedBytes: body.byteLength,
    whenAccepted: (run: () => void) => run(),
    onKey: () => undefined,
    whenDisconnected: () => undefined,
    readBody: async () => body,
  };
}
