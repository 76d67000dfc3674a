import { describe, expect, test } from 'vitest';
import { expectBooks, paid, unbilled } from '../support/books.ts';
import { meetChat, prompted } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { asPrompted } from '../support/platform-outcomes.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack({ script: asPrompted() });

test(
  'a quota that stays exhausted after three attempts is THROTTLED, and costs nothing',
  onStack(async (stack) => {
    expectError(await meetChat(stack, 'search', 'sim-throttled'), {
      status: 429,
      code: 'THROTTLED',
      says: [
        'The model sim-throttled is still over its tokens-per-minute quota',
        'after 3 attempts',
      ],
      model: 'sim-throttled',
      isReached: true,
    });
    // Full jitter: at most 250 ms, then at most 500 ms.
    expect(stack.clock.monotonic()).toBeLessThan(750);
    await expectBooks(stack, 'search', { calls: [unbilled('THROTTLED', 3)], billedUsd: '0' });
  }),
);

test(
  'an account without money is not called again',
  onStack(async (stack) => {
    expectError(await meetChat(stack, 'search', 'sim-quota'), {
      status: 429,
      code: 'THROTTLED',
      says: ['(1 attempt)', 'The request is not the cause; contact the operator.'],
      model: 'sim-quota',
      isReached: true,
    });
    expect(stack.clock.monotonic()).toBe(0);
    await expectBooks(stack, 'search', { calls: [unbilled('THROTTLED')], billedUsd: '0' });
  }),
);

test(
  'the platform’s retry-after is respected between attempts, and sent to the caller',
  onStack(async (stack) => {
    expectError(await meetChat(stack, 'search', 'sim-throttled-hint'), {
      status: 429,
      code: 'THROTTLED',
      says: ['after 3 attempts'],
      model: 'sim-throttled-hint',
      isReached: true,
      retryAfter: '2',
    });
    expect(stack.clock.monotonic()).toBe(4_000);
    await expectBooks(stack, 'search', { calls: [unbilled('THROTTLED', 3)], billedUsd: '0' });
  }),
);

describe('a wait that cannot end within the 26 s is not begun', () => {
  test.each([
    { retryAfter: '26', told: '26', attempts: 1 },
    { retryAfter: '3600', told: '3600', attempts: 1 },
    { retryAfter: '99999999999', told: '86400', attempts: 1 },
    { retryAfter: '13', told: '13', attempts: 2 },
  ])('$retryAfter s: $attempts of 3 attempts', async ({ retryAfter, told, attempts }) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const startedMs = stack.clock.monotonic();
    const prompt = prompted(`retry-after ${retryAfter}`);
    const answer = await meetChat(stack, app, 'sim-echo', prompt);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe(told);
    const waitedMs = (attempts - 1) * Number(retryAfter) * 1_000;
    expect(stack.clock.monotonic() - startedMs).toBe(waitedMs);
    const booked = unbilled('THROTTLED', attempts);
    await expectBooks(stack, app, { calls: [booked], billedUsd: '0' });
  });
});

describe('a platform may use any format for the wait', () => {
  /** The duration of a call whose first attempt gets a retry-after. */
  async function waitOf(retryAfter: string): Promise<number> {
    const { stack, newApp } = shared();
    const app = await newApp();
    const startedMs = stack.clock.monotonic();
    const prompt = prompted(`once: retry-after ${retryAfter}`);
    expect((await meetChat(stack, app, 'sim-echo', prompt)).status).toBe(200);
    return stack.clock.monotonic() - startedMs;
  }

  test.each([
    { retryAfter: '25', waitsMs: 25_000 },
    { retryAfter: '0.5', waitsMs: 500 },
    { retryAfter: '0', waitsMs: 0 },
    { retryAfter: 'Sat, 21 Nov 2026 11:59:00 GMT', waitsMs: 0 },
  ])('$retryAfter', async ({ retryAfter, waitsMs }) => {
    expect(await waitOf(retryAfter)).toBe(waitsMs);
  });

  test('a date', async () => {
    const { clock } = shared().stack;
    const inSeconds = Math.ceil(clock.now() / 1_000) + 3;
    const waitsMs = inSeconds * 1_000 - clock.now();
    expect(await waitOf(new Date(inSeconds * 1_000).toUTCString())).toBe(waitsMs);
  });

  test.each(['-5', 'NaN', 'soon', '1e9', '', '5 minutes', 'Infinity', '0x10'])(
    '"%s" is not a valid wait: the gateway uses its own',
    async (retryAfter) => {
      expect(await waitOf(retryAfter)).toBeLessThan(250);
    },
  );

  test('half a second is sent to the caller as one', async () => {
    const { stack, newApp } = shared();
    const prompt = prompted('retry-after 0.5');
    const answer = await meetChat(stack, await newApp(), 'sim-echo', prompt);
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

test(
  'a quota that was exhausted once is retried, and only the answered attempt is paid',
  onStack(async (stack) => {
    const answer = await meetChat(stack, 'search', 'sim-throttled-once');
    expect(answer.body).toMatchObject({ cost: { usd: '0.000006', estimated: false } });
    const call = { ...paid('0.000006'), attempts: ['THROTTLED', 'answered'] };
    await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
  }),
);
