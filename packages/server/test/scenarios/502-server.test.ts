import { beforeEach, describe, expect, test } from 'vitest';
import { type ExpectedCall, expectBooks, paid, unbilled } from '../support/books.ts';
import { chatOf, meetChat, prompted } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import { asPrompted, inOrder, platformError } from '../support/platform-outcomes.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const shared = sharedStack({ script: asPrompted() });
// This number of failures of one model within ten seconds would open its circuit.
beforeEach(() => shared().stack.clock.advance(10_000));

/** A call whose every attempt may have been billed. */
function estimated(model: string, attempts: number, more: object = {}): ExpectedCall {
  const most = usd(maximumCostPicoUsd(chatOf(model, more)) * BigInt(attempts));
  const outcomes = Array<string>(attempts).fill('SERVER');
  const cost = { costUsd: most, estimatedUsd: most };
  return { code: 'SERVER', basis: 'estimated', ...cost, attempts: outcomes };
}

/** The cost in the response: absent if it was free. */
function costOf({ costUsd }: ExpectedCall) {
  return costUsd === '0' ? {} : { costUsd };
}

const rows = [
  { model: 'sim-down', booked: unbilled('SERVER', 3), billedUsd: '0' },
  { model: 'sim-crash', booked: unbilled('SERVER', 3), billedUsd: '0' },
  { model: 'sim-overloaded', booked: unbilled('SERVER', 3), billedUsd: '0' },
  { model: 'sim-redirect', booked: unbilled('SERVER', 1), billedUsd: '0' },
  { model: 'sim-html', booked: estimated('sim-html', 1), billedUsd: '0.000006' },
  { model: 'sim-half-json', booked: estimated('sim-half-json', 1), billedUsd: '0.000006' },
  { model: 'sim-empty-body', booked: estimated('sim-empty-body', 1), billedUsd: '0.000006' },
  { model: 'sim-gateway-timeout', booked: estimated('sim-gateway-timeout', 3), billedUsd: '0' },
  { model: 'sim-reset', booked: estimated('sim-reset', 3), billedUsd: '0.000018' },
  {
    model: 'sim-reset-mid-body',
    booked: estimated('sim-reset-mid-body', 3),
    billedUsd: '0.000018',
  },
] as const;

describe('a platform that keeps failing', () => {
  test.each(rows)('$model', async ({ model, booked, billedUsd }) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const attempts = booked.attempts.length;
    const isReached = model === 'sim-reset' ? {} : ({ isReached: true } as const);
    expectError(await meetChat(stack, app, model), {
      status: 502,
      code: 'SERVER',
      says: [
        'The model platform failed',
        attempts === 1 ? 'after 1 attempt;' : `after ${attempts} attempts;`,
        'try again later',
      ],
      model,
      ...isReached,
      ...costOf(booked),
    });
    await expectBooks(stack, app, { calls: [booked], billedUsd });
  });
});

describe('a status determines who pays, and whether it is retried', () => {
  test.each([
    { status: 500, attempts: 3, isPaid: false },
    { status: 501, attempts: 3, isPaid: false },
    { status: 503, attempts: 3, isPaid: false },
    { status: 520, attempts: 3, isPaid: false },
    { status: 529, attempts: 3, isPaid: false },
    { status: 408, attempts: 3, isPaid: true },
    { status: 424, attempts: 3, isPaid: true },
    { status: 502, attempts: 3, isPaid: true },
    { status: 504, attempts: 3, isPaid: true },
    { status: 301, attempts: 1, isPaid: false },
    { status: 307, attempts: 1, isPaid: false },
  ])('$status: $attempts attempts', async ({ status, attempts, isPaid }) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const prompt = prompted(`status ${status}`);
    const model = 'sim-echo';
    const says = ['The model platform failed'];
    const expected = { status: 502, code: 'SERVER', says, model, isReached: true } as const;
    const most = estimated('sim-echo', attempts, prompt);
    const booked = isPaid ? most : unbilled('SERVER', attempts);
    const exchange = await meetChat(stack, app, model, prompt);
    expectError(exchange, { ...expected, ...costOf(booked) });
    await expectBooks(stack, app, { calls: [booked], billedUsd: '0' });
  });
});

test(
  'a platform that fails once is retried, and only the answered attempt is paid',
  onStack(async (stack) => {
    const answer = await meetChat(stack, 'search', 'sim-flaky');
    expect(answer.body).toMatchObject({ cost: { usd: '0.000006', estimated: false } });
    const call = { ...paid('0.000006'), attempts: ['SERVER', 'answered'] };
    await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
  }),
);

test('the retry-after of a failing platform is respected, and not forwarded', async () => {
  const stack = await openStack({ script: () => platformError(503, { 'retry-after': '5' }) });
  const model = 'sim-echo';
  const says = ['after 3 attempts'];
  const expected = { status: 502, code: 'SERVER', says, model, isReached: true } as const;
  expectError(await meetChat(stack, 'search', model), expected);
  expect(stack.clock.monotonic()).toBe(10_000);
  await stack.close();
});

test('the number of attempts and their waits are those of the configuration', async () => {
  const stack = await openStack({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
retry: { attempts: 5, baseMs: 1000, capMs: 1500 }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
    script: inOrder(...Array.from({ length: 4 }, () => platformError(503))),
  });
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  // Full jitter: at most 1, 1.5, 1.5 and 1.5 s.
  expect(stack.clock.monotonic()).toBeLessThan(5_500);
  const attempts = ['SERVER', 'SERVER', 'SERVER', 'SERVER', 'answered'];
  const call = { ...paid('0.000006'), attempts };
  await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
  await stack.close();
});
