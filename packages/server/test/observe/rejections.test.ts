import { expect, onTestFinished, test } from 'vitest';
import type { RejectedCall } from '../../src/lib/observer.ts';
import { silentLog } from '../../src/lib/silent-log.ts';
import { startRejections } from '../../src/observe/rejections.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import type { Statement } from '../../src/store/port/port.ts';
import { rejections } from '../../src/store/queries/rejections.ts';
import { chatOf, meetChat, sendBody } from '../support/exchange.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { createTestClock } from '../support/test-clock.ts';

const full: RejectedCall = {
  ...{ app: 'search', code: 'BUDGET_EXCEEDED' },
  budget: { scope: 'user:search:ada@example.org', period: '2026-11-21' },
  ...{
    capPicoUsd: 10n,
    spentPicoUsd: 4n,
    heldPicoUsd: 4n,
    remainingPicoUsd: 2n,
    neededPicoUsd: 3n,
  },
  isUnpriced: false,
};

function start(threads = 1) {
  const clock = createTestClock();
  const written: (readonly Statement[])[] = [];
  let number = 0;
  const store = {
    async write(statements: readonly Statement[]) {
      written.push(statements);
      return statements.map(() => 1);
    },
  };
  const ids = { next: (prefix: string) => `${prefix}_${++number}` };
  const parts = { store, clock, ids, log: silentLog, counts: { threads } };
  return { clock, written, sample: startRejections(parts) };
}

test('the sample has at most 10 rows of an app and a minute, and no user', async () => {
  const { clock, written, sample } = start();
  const reject = (app: string) => sample.observer.callRejected?.({ ...full, app });
  for (let n = 0; n < 40; n++) for (const app of ['search', 'tutor']) reject(app);
  expect(written).toHaveLength(0);
  await clock.advance(10_000);
  expect(written.map(({ length }) => length)).toEqual([20]);
  expect(JSON.stringify(written[0]?.map(({ values }) => values.map(String)))).not.toContain('ada');
  await clock.advance(10_000);
  expect(written).toHaveLength(1);
  await clock.advance(60_000);
  reject('search');
  // Shutdown of the service writes the rest.
  await sample.stop();
  expect(written.map(({ length }) => length)).toEqual([20, 1]);
});

test('the threads of a process share the number', async () => {
  const { clock, written, sample } = start(3);
  for (let n = 0; n < 40; n++) sample.observer.callRejected?.(full);
  await clock.advance(10_000);
  expect(written.map(({ length }) => length)).toEqual([3]);
});

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "0.000001" }
  - { name: users, perUserDailyUsd: "0.000001" }
  - { name: tutor, credits: { monthlyGrant: "0.0001", usdPerCredit: "0.01" } }
`;

const rowsOf = (stack: Stack) =>
  stack.store.read({
    sql: 'select * from rejection order by app',
    values: [],
    map: (rows) => rows.map(rejections.read),
  });

test('rejected calls are written with amounts, verified by the audit, and pruned', async () => {
  const stack = await openStack({ yaml });
  onTestFinished(() => stack.close());
  expect((await meetChat(stack, 'search', 'sim-echo')).error?.code).toBe('BUDGET_EXCEEDED');
  for (const app of ['users', 'tutor']) {
    const answer = await sendBody(stack, app, { ...chatOf('sim-echo'), userId: 'ada' });
    expect([402, 429]).toContain(answer.status);
  }
  expect(await rowsOf(stack)).toEqual([]);
  await stack.clock.advance(10_000);
  const usd = 1_000_000n;
  expect(await rowsOf(stack)).toMatchObject([
    { app: 'search', scope: 'app:search', cap: usd, spent: 0n, held: 0n, amountLeft: usd },
    { app: 'tutor', code: 'INSUFFICIENT_CREDITS', scope: undefined, cap: undefined },
    { app: 'users', scope: 'users:users', period: '2026-11-21', amountLeft: usd },
  ]);
  expect(await stack.audit()).toMatchObject({ clean: true });
  stack.clock.set(Date.UTC(2027, 0, 5));
  await stack.clock.run(pruneDays(stack.admin, { before: '2026-12-01' }));
  expect(await rowsOf(stack)).toEqual([]);
});
