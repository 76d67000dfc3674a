import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock, utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { readDays } from '../../src/operations/reports/overview.ts';
import { audit } from '../../src/store/audit/audit.ts';
import { selectHistory } from '../../src/store/queries/ledger.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { selectSplitSums } from '../../src/store/sums/report-sums.ts';
import { selectTopUsers } from '../../src/store/sums/top-users.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { adminOn, openReplica } from './support/books.ts';
import { ledgerOn, reservation, settlement } from './support/load.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

/** Two of it exceed 64 bits. */
const most = 2n ** 63n - 1n;
const today = utcDayOf(systemClock.now());
const month = { from: `${today.slice(0, 7)}-01`, to: `${today.slice(0, 7)}-31` };
const apps = ['left', 'right'];

describe.each(['sqlite', 'postgres'] as const)('sums above 64 bits on %s', (kind) => {
  test('are exact in reports, and break neither the audit nor a budget', async () => {
    const store =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
    onTestFinished(() => store.close());
    const admin = adminOn(store);
    const ledger = ledgerOn(store);
    for (const app of apps) await createApp(admin, app, {});
    const calls: string[] = [];
    for (const app of apps) {
      const asked = reservation({ app, amount: most });
      expect(await ledger.reserve(asked, () => false)).toEqual({ kind: 'reserved' });
      await ledger.settle(settlement(asked, most));
      calls.push(asked.facts.callId);
    }
    const wanted = { ...month, columns: [], apps: undefined };
    const { groups } = await store.read(selectSplitSums(wanted, ''));
    expect([...groups]).toMatchObject([{ calls: 2, cost: 2n * most, estimated: 0n }]);
    const top = await store.read(selectTopUsers({ ...month, apps: undefined, top: 5 }, ''));
    expect(top.total).toMatchObject({ calls: 2, cost: 2n * most });
    expect(top.groups).toHaveLength(2);
    expect(await store.read(selectHistory('left', 5))).toMatchObject([{ cost: most }]);
    expect((await readDays(admin, today)).of('left')).toMatchObject({ spent: most });
    const both = { apps, monthlyPicoUsd: most, mode: 'shadow' } as const;
    await setBudget(admin, 'shadow', both, []);
    const [callId = ''] = calls;
    await expect(correctCall(admin, { callId, usd: formatUsd(most + 1n) })).rejects.toThrow(
      'at most 9223372.036854775807',
    );
    const report = await audit(store, systemClock.now());
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  });
});
