import type { Outcome } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { cost } from '../../src/catalog/cost.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { selectUsage } from '../../src/store/queries/ledger.ts';
import { billed, expectSums, settled, walletOf } from '../streams/support/books.ts';
import { metered } from '../streams/support/house.ts';
import { readAttempts } from '../support/books.ts';
import { chatOf, meetChat, prompted } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import type { Choose } from '../support/pairs.ts';
import { platformError } from '../support/platform-outcomes.ts';
import { type StoreKind, storeKinds } from '../support/shared-stack.ts';
import { type AliasStack, aliasStack } from './alias-stack.ts';

/** The outcome of an alias's first model, at each attempt. */
interface First {
  readonly does: Outcome | undefined;
  /** The value of `fallbackOn` that covers it; undefined without a fallback. */
  readonly reason?: 'throttled' | 'server' | 'account';
  readonly isRetried: boolean;
  /** How an attempt is booked. */
  readonly books: 'free' | 'estimated' | 'exact';
  readonly code: string;
}

const answer = (more: object): Outcome => ({ kind: 'answer', text: 'one', ...more });
const retried = { isRetried: true, books: 'free' } as const;
const final = { isRetried: false, books: 'free' } as const;

const firsts: Readonly<Record<string, First>> = {
  'an answer': { does: undefined, isRetried: false, books: 'exact', code: 'OK' },
  '429': { does: platformError(429), reason: 'throttled', ...retried, code: 'THROTTLED' },
  'no quota': {
    ...{ does: platformError(429, {}, 'insufficient_quota'), reason: 'throttled', ...final },
    code: 'THROTTLED',
  },
  '500': { does: platformError(500), reason: 'server', ...retried, code: 'SERVER' },
  '503': { does: platformError(503), reason: 'server', ...retried, code: 'SERVER' },
  '504': {
    ...{ does: platformError(504), reason: 'server', isRetried: true, books: 'estimated' },
    code: 'SERVER',
  },
  'a reset': {
    ...{ does: answer({ fault: 'reset' }), reason: 'server', isRetried: true },
    ...{ books: 'estimated', code: 'SERVER' },
  },
  'no JSON': {
    ...{ does: answer({ fault: { kind: 'raw', status: 200, body: '<html>' } }), reason: 'server' },
    ...{ isRetried: false, books: 'estimated', code: 'SERVER' },
  },
  '402': { does: platformError(402), reason: 'server', ...final, code: 'SERVER' },
  'no credit': {
    ...{ does: platformError(400, {}, 'insufficient_credits'), reason: 'server', ...final },
    code: 'SERVER',
  },
  '409': { does: platformError(409), reason: 'server', ...retried, code: 'SERVER' },
  '425': { does: platformError(425), reason: 'server', ...retried, code: 'SERVER' },
  '498': { does: platformError(498), reason: 'throttled', ...retried, code: 'THROTTLED' },
  '400': { does: platformError(400), ...final, code: 'BAD_REQUEST' },
  '401': { does: platformError(401), reason: 'account', ...final, code: 'AUTH' },
  '403': { does: platformError(403), reason: 'account', ...final, code: 'AUTH' },
  '404': { does: platformError(404), ...final, code: 'NOT_FOUND' },
  'a cut': {
    ...{ does: answer({ finish: 'length' }), isRetried: false, books: 'exact' },
    code: 'TRUNCATED',
  },
};

/** All but the last two values exist in every version, so their meaning must not change. */
const aliases = {
  usual: ['throttled', 'server'],
  both: ['throttled', 'server'],
  throttled: ['throttled'],
  server: ['server'],
  never: [],
  account: ['account'],
  every: ['throttled', 'server', 'account'],
} as const;

interface Row {
  readonly kind: StoreKind;
  readonly alias: string;
  /** The reasons for which the alias falls back. */
  readonly on: readonly string[];
  readonly what: string;
  readonly first: First;
  readonly isMetered: boolean;
}

const table: readonly Row[] = storeKinds
  .flatMap((kind) => Object.entries(aliases).map(([alias, on]) => ({ kind, alias, on })))
  .flatMap((row) => Object.entries(firsts).map(([what, first]) => ({ ...row, what, first })))
  .flatMap((row) => [false, true].map((isMetered) => ({ ...row, isMetered })));

/** The model that answers and the booked cost, for every result of an alias's first model. */
export function describeFallback(choose: Choose) {
  const chosen = Map.groupBy(choose(table), ({ kind }) => kind);

  describe.each([...chosen])('%s', (kind, rows) => {
    const house = aliasStack(kind);

    test.each(rows)('$alias: $what, wallet $isMetered', (row) => expectFallback(house(), row));
  });
}

async function expectFallback({ stack, asked, plan, newApp }: AliasStack, row: Row) {
  const { kind, alias, first, isMetered } = row;
  // Earlier failures must not open a circuit.
  await stack.clock.advance(11_000);
  const app = await newApp(isMetered ? metered : {});
  const prompt = `${kind} ${alias} ${row.what} ${isMetered}`;
  plan(prompt, { 'sim-echo': first.does });
  const user = isMetered ? { userId: 'ada' } : {};
  const chat = { ...prompted(prompt), ...user };
  const exchange = await meetChat(stack, app, alias, chat);

  const falls = row.on.some((word) => word === first.reason);
  const tries = !first.isRetried ? 1 : falls ? 2 : 3;
  const models = [...Array(tries).fill('sim-echo'), ...(falls ? ['sim-cached'] : [])];
  expect(asked(prompt)).toEqual(models);
  const code = falls ? 'OK' : first.code;
  expect(exchange.error?.code ?? 'OK').toBe(code);
  expect(exchange.headers.get('x-served-by')).toBe(falls ? 'dear' : 'sim-echo');
  if (code === 'OK') expect(exchange.body).toMatchObject({ model: alias });

  const [call, ...more] = await settled(stack, app);
  if (call === undefined) throw new Error('the call is in the books');
  expect(more).toEqual([]);
  const last = falls ? 'dear' : 'sim-echo';
  expect(call).toMatchObject({ code, model: alias, usageModel: last });
  const attempts = await readAttempts(stack.store, call);
  expect(attempts.map(({ model }) => model)).toEqual(
    models.map((model) => (model === 'sim-cached' ? 'dear' : model)),
  );

  const echo = maximumCostPicoUsd(chatOf(alias, chat));
  const lost = first.books === 'estimated' ? echo * BigInt(tries) : 0n;
  const isAnswered = falls || first.books === 'exact';
  const own = isAnswered ? cost(call.tokens, falls ? large : small) : 0n;
  expect([usd(call.cost), usd(call.estimated)]).toEqual([usd(lost + own), usd(lost)]);
  expect(walletOf(call)).toBe(isMetered ? own : 0n);
  const usage = await stack.store.read(selectUsage(app, utcDayOf(stack.clock.now())));
  const counted = usage.filter(({ calls }) => calls > 0);
  expect(counted.map(({ model }) => model)).toEqual([last]);
  const ofLast = usage.find(({ model }) => model === last);
  expect(ofLast?.cost).toBe(falls ? own : own + lost);
  const bill = billed(stack, app);
  if (lost === 0n) expect(call.cost).toBe(bill);
  else expect(call.cost).toBeGreaterThanOrEqual(bill);
  await expectSums(stack, app, [call]);
}

const small = {
  ...{ inputPicoUsd: 150_000n, cachedInputPicoUsd: 75_000n, cacheWriteInputPicoUsd: 187_500n },
  outputPicoUsd: 600_000n,
};
const large = {
  ...{ inputPicoUsd: 1_100_000n, cachedInputPicoUsd: 110_000n },
  ...{ cacheWriteInputPicoUsd: 1_375_000n, outputPicoUsd: 6_600_000n },
};
