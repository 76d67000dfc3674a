import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { selectBudget } from '../../src/store/queries/ledger.ts';
import * as tables from '../../src/store/schema/tables.ts';
import { houseYaml } from '../streams/support/house.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { amountsOfCall } from './amounts.ts';
import { maxTokens, outcomeOf } from './script.ts';

const prompt = 'taken over';
const body = {
  ...{ model: 'told-chat', maxTokens, userId: 'ada' },
  messages: [{ role: 'user', content: prompt }],
};
const plan = { result: 'answers', slow: 0 } as const;
const { most, exact } = amountsOfCall(body, plan, maxTokens);

const startMs = Date.UTC(2026, 10, 21, 12);
/** The delay after which the dying process began; the other sweeps each 5 s. */
const heardMs = 3_000;
/** From then on it is dead for at least 10 s; the first of them are before the next sweep. */
const deadMs = [21_000, 13_300, 14_900] as const;
const plenty = 10n ** 12n;

interface Tight {
  readonly what: string;
  readonly wallet: bigint;
  readonly day: bigint;
}

const fitting: readonly Tight[] = [
  { what: 'beside plenty', wallet: plenty, day: plenty },
  { what: 'beside a wallet for one call', wallet: most, day: plenty },
  { what: 'beside a day for the estimate and one call', wallet: most, day: 2n * most },
];

let postgres: TestPostgres;
let dead: Stack;
let living: Stack;
let apps = 0;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** A call under a key, whose process sends no heartbeats: its clock stops. */
async function withDeadCall(
  { wallet, day }: Pick<Tight, 'wallet' | 'day'>,
  use: (ask: () => Promise<Response>, app: string, deadId: string) => Promise<void>,
) {
  const yaml = houseYaml(await postgres.database());
  const script = () => ({ kind: 'silence' }) as const;
  dead = await openStack({ yaml, script, startMs: startMs + heardMs });
  living = await openStack({ yaml, script: () => outcomeOf(plan, 'whole'), startMs });
  apps += 1;
  const app = `taken-${apps}`;
  try {
    const credits = { monthlyGrantPicoUsd: wallet, picoUsdPerCredit: 10n ** 10n };
    await createApp(dead.admin, app, { credits, dailyBudgetPicoUsd: day });
    const { key } = await issueKey(dead.admin, { app, email: 'team@acme.example' });
    const ask = ({ fetch }: Stack) =>
      fetch('http://gateway.test/v1/chat', {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'k' },
        body: JSON.stringify(body),
      });
    await dead.clock.run(dead.service.registry.refresh());
    await living.clock.run(living.service.registry.refresh());
    ask(dead).catch(() => undefined);
    await dead.clock.settle();
    const [deadId = ''] = await dead.store.read({
      ...{ sql: 'select call_id from hold where app = $1', values: [app] },
      map: (rows) => rows.map((row) => String(row.call_id)),
    });
    expect(deadId).not.toBe('');
    await use(() => living.clock.run(ask(living)), app, deadId);
  } finally {
    await living.close();
    await dead.close();
  }
}

async function booksOf(app: string) {
  const { store, clock } = living;
  const [wallet] = await store.read({
    ...{ sql: 'select * from wallet_month where app = $1', values: [app] },
    map: (rows) => rows.map(tables.walletMonths.read),
  });
  const day = utcDayOf(clock.now());
  const budget = await store.read(selectBudget(app, day));
  const calls = await readCalls(store, app, day);
  return {
    wallet: {
      spent: (wallet?.spentGrant ?? 0n) + (wallet?.spentTopup ?? 0n),
      held: wallet?.heldGrant,
    },
    day: { spent: budget?.spent, held: budget?.held },
    paid: calls.map(({ callId, walletGrant, walletTopup }) => [callId, walletGrant + walletTopup]),
  };
}

/** Each is taken over at another time; all of them at all times in a long run. */
const cases = fitting.flatMap((tight, at) =>
  deadMs
    .filter((_, nth) => nth === at || process.env.RECEIPTS_RUNS !== undefined)
    .map((ms) => ({ ...tight, ms })),
);

describe('a key of a dead call', () => {
  test.each(cases)('$what is taken over after $ms ms', async ({ ms, ...tight }) => {
    await withDeadCall(tight, async (ask, app, deadId) => {
      await living.clock.advance(ms);
      const response = await ask();
      const text = await response.text();
      expect([response.status, text.includes('one two') || text]).toEqual([200, true]);
      const ownId = response.headers.get('x-call-id') ?? '';
      const books = await booksOf(app);
      expect(books).toMatchObject({
        wallet: { spent: exact, held: 0n },
        day: { spent: most + exact, held: 0n },
      });
      expect(new Map(books.paid.map(([id, paid]) => [id, paid]))).toEqual(
        new Map([
          [deadId, 0n],
          [ownId, exact],
        ]),
      );
      await living.clock.run(expectClean(living));
    });
  });
});

test('a day that the dead call’s estimate has used up rejects it, with the reason', async () => {
  await withDeadCall({ wallet: most, day: most + exact }, async (ask, app, deadId) => {
    await living.clock.advance(13_300);
    const response = await ask();
    const text = await response.text();
    expect([response.status, text.includes('BUDGET_EXCEEDED') || text]).toEqual([429, true]);
    expect(text).toContain(deadId);
    expect(await booksOf(app)).toMatchObject({
      wallet: { spent: 0n, held: 0n },
      day: { spent: most, held: 0n },
    });
  });
});
