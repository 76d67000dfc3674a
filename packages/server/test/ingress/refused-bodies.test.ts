import { describe, expect, test } from 'vitest';
import { createRefusedBodies } from '../../src/ingress/access.ts';
import { chatOf, meetChat, send, sendBody } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

const mib = 1_048_576;
const yaml = (plan: string) => `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ${plan} } }
apps: [{ name: search, dailyBudgetUsd: "5" }, { name: tutor, dailyBudgetUsd: "5" }]
`;
/** An invalid chat of this many bytes. */
const wrong = (bytes: number) => '{"model":"sim-echo"}'.padEnd(bytes);

describe('a rejected body', () => {
  test(
    'uses a request of its key’s rate for each MiB, and nothing of the day',
    onStack(
      async (stack) => {
        for (let body = 0; body < 3; body++) {
          expect((await sendBody(stack, 'search', wrong(2 * mib))).status).toBe(400);
        }
        // Three requests and 6 MiB: one of ten is left.
        expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
        expectGateway(await meetChat(stack, 'search', 'sim-echo'), 'TOO_MANY_REQUESTS', '10');
        // The app's other key loses nothing.
        const headers = { 'x-api-key': await stack.key('search', 'admin') };
        expect((await send(stack, '/v1/usage', { headers })).status).toBe(200);
        await stack.clock.advance(10_000);
        expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
        await stack.clock.advance(10_000);
        // The day had six requests, of which five are used.
        expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
        await stack.clock.advance(10_000);
        expectGateway(await meetChat(stack, 'search', 'sim-echo'), 'LIMIT_EXCEEDED');
      },
      { yaml: yaml('ratePerSecond: 0.1, burst: 10, requestsPerDay: 6') },
    ),
  );

  test(
    'that is too long to be read pays for the dropped bytes',
    onStack(
      async (stack) => {
        const length = { 'content-length': String(9 * mib) };
        expect((await sendBody(stack, 'search', 'a', length)).status).toBe(413);
        // One request, and at most 5 MiB of a body that is dropped.
        for (let call = 0; call < 4; call++) {
          expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
        }
        expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(429);
      },
      { yaml: yaml('ratePerSecond: 0.001, burst: 10, requestsPerDay: 100') },
    ),
  );

  test(
    'of a key that sends them endlessly is read a third as often, and another app has its calls',
    onStack(
      async (stack) => {
        const statuses: number[] = [];
        const others: number[] = [];
        for (let tenth = 0; tenth < 100; tenth++) {
          for (let each = 0; each < 2; each++) {
            statuses.push((await sendBody(stack, 'search', wrong(2 * mib))).status);
          }
          if (tenth % 10 === 0) others.push((await meetChat(stack, 'tutor', 'sim-echo')).status);
          await stack.clock.advance(100);
        }
        expect(others).toEqual(others.map(() => 200));
        // Of the rate limit's 15 + 5 a second, each rejection takes three.
        const read = statuses.filter((status) => status === 400).length;
        expect([read, statuses.length]).toEqual([expect.any(Number), 200]);
        expect(read).toBeLessThanOrEqual(22);
        expect(read).toBeGreaterThanOrEqual(19);
      },
      { yaml: yaml('ratePerSecond: 5, burst: 15, requestsPerDay: 1000') },
    ),
  );

  test(
    'that led to a call does not count as rejected',
    onStack(
      async (stack) => {
        const chat = JSON.stringify(chatOf('sim-rejects')).padEnd(3 * mib);
        expect((await sendBody(stack, 'search', chat)).status).toBeGreaterThanOrEqual(400);
        for (let call = 0; call < 3; call++) {
          expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
        }
      },
      { yaml: yaml('ratePerSecond: 0.001, burst: 4, requestsPerDay: 100') },
    ),
  );
});

test('less than a MiB is added up, separately for each key', () => {
  const charged: (readonly [string, number])[] = [];
  const plan = { ratePerSecond: 1, burst: 1, requestsPerDay: 1 };
  const refused = createRefusedBodies({
    charge: (keyId, _plan, requests) => void charged.push([keyId, requests]),
  });
  for (let body = 0; body < 4; body++) refused.add('one', plan, 0.75 * mib, 0);
  refused.add('two', plan, 0.75 * mib, 0);
  refused.add('two', plan, 4 * mib, 0);
  expect(charged).toEqual([
    ['one', 1],
    ['one', 1],
    ['one', 1],
    ['two', 4],
  ]);
});
