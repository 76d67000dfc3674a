import { expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { readCallStats } from '../../src/operations/calls/call-stats.ts';
import { findCalls } from '../../src/operations/calls/find-calls.ts';
import { findMostExpensive } from '../../src/operations/calls/most-expensive-calls.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { auditLedger } from '../../src/operations/health/audit.ts';
import { listKeys } from '../../src/operations/keys/key-document.ts';
import { countKeys, findKeys } from '../../src/operations/keys/key-page.ts';
import { rebuildRollups } from '../../src/operations/reports/rebuild-rollups.ts';
import { readReport } from '../../src/operations/reports/report.ts';
import { walletHistory } from '../../src/operations/wallets/wallet-history.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn } from '../conformance/subject.ts';

const nowMs = Date.UTC(2026, 10, 23, 12, 30);
const quiet = () => undefined;
const catalog = createCatalog({
  ...{ models: [], aliases: [], platforms: [], defaultPlatform: 'hosted', shipped: [] },
  clock: systemClock,
});
const days = { from: '2026-11-01', to: '2026-11-30', apps: undefined, top: undefined };
const search = {
  ...{ app: 'search', userId: undefined, keyId: undefined, model: undefined, code: undefined },
  ...{ since: undefined, until: undefined, minPicoUsd: undefined, isEstimated: false },
  ...{ after: undefined, limit: 50 },
};
const anyKey = {
  ...{ find: undefined, state: undefined, contact: undefined, used: undefined },
  ...{ sort: undefined, after: undefined },
};
const keysOf = { app: 'search', apps: undefined };
const lines = { subject: undefined, actor: undefined, since: undefined, limit: 10 };

type Work = (admin: AdminContext) => Promise<unknown>;

test.each<[string, Work]>([
  ['report', (admin) => readReport(admin, catalog, { ...days, by: ['model'] }, quiet)],
  ['report by users', (admin) => readReport(admin, catalog, { ...days, by: ['user'] }, quiet)],
  [
    'report of records',
    (admin) => readReport(admin, catalog, { ...days, by: ['user', 'day'] }, quiet),
  ],
  ['rollups rebuild', (admin) => rebuildRollups(admin, quiet)],
  ['audit', auditLedger],
  ['calls list', (admin) => findCalls(admin, search)],
  ['call stats', (admin) => readCallStats(admin, search)],
  ['calls list --order cost', (admin) => findMostExpensive(admin, search)],
  ['keys list', (admin) => listKeys(admin, 'search')],
  ['a page of keys', (admin) => findKeys(admin, keysOf, { ...anyKey, limit: 5 })],
  ['counts of keys', (admin) => countKeys(admin, keysOf)],
  ['log list', (admin) => listLines(admin, lines)],
  ['wallets history', (admin) => walletHistory(admin, { app: 'search', userId: 'ada' })],
])('%s reads nothing on the connection of the calls', async (_name, work) => {
  const store = openDirectStore(':memory:');
  const credits = { monthlyGrantPicoUsd: 100n, picoUsdPerCredit: 1n };
  await createApp(adminOn(store, nowMs), 'search', { credits });
  const reads = { read: 0, forOperator: 0 };
  const watched: Store = {
    ...store,
    read(query) {
      reads.read += 1;
      return store.read(query);
    },
    readForOperator(query) {
      reads.forOperator += 1;
      return store.readForOperator(query);
    },
  };
  await work(adminOn(watched, nowMs));
  expect(reads.read).toBe(0);
  expect(reads.forOperator).toBeGreaterThan(0);
  await store.close();
});
