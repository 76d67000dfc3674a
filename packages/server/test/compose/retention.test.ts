import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRetention } from '../../src/compose/retention.ts';
import { firstCallIdAt } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { ledgerOn, reservation, settlement } from '../store/support/load.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createTestClock } from '../support/test-clock.ts';
import { watchStore } from '../support/watched-store.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

/** In virtual time a server's clock has no meaning. */
async function open(kind: 'sqlite' | 'postgres'): Promise<Store> {
  if (kind === 'sqlite') return openDirectStore(':memory:');
  const { clock: _, ...store } = await openReplica(await server.database());
  return store;
}

const hourMs = 3_600_000;
const days = ['2026-11-22', '2026-11-29', '2026-12-05'] as const;

/** The remaining records of calls of three days, an hour after a time. */
async function leftAt(
  kind: 'sqlite' | 'postgres',
  moment: string,
  usage: { readonly retentionDays?: number },
) {
  const store = watchStore(await open(kind));
  const clock = createTestClock({ pending: store.pending, startMs: Date.parse(moment) });
  const admin = { ...adminOn(store), clock };
  await clock.run(createApp(admin, 'search', {}));
  const ledger = ledgerOn(store);
  for (const day of days) {
    const { facts, ...rest } = reservation({ app: 'search', amount: 2n });
    const callId = `${firstCallIdAt(Date.parse(day))}${'0'.repeat(16)}`;
    const reserved = { ...rest, facts: { ...facts, callId, day } };
    await ledger.reserve(reserved, () => false);
    await ledger.settle(settlement(reserved, 1n));
  }
  const told: object[] = [];
  const log = { ...silentLog, info: (fields: object) => void told.push(fields) };
  const retention = startRetention(admin, usage, log);
  await clock.advance(hourMs);
  await retention?.stop();
  const left = await store.read({
    sql: 'select day from call order by day',
    values: [],
    map: (rows) => rows.map(({ day }) => day),
  });
  expect(await audit(store, clock.now())).toMatchObject({ clean: true });
  await store.close();
  return { left, told };
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  test('records beyond their retention are deleted, and sums stay', async () => {
    expect(await leftAt(kind, '2026-12-24T12:00:00Z', { retentionDays: 30 })).toEqual({
      left: ['2026-11-29', '2026-12-05'],
      told: [{ prunedBefore: '2026-11-24', calls: 1, retainedBecause: null }],
    });
  });

  test('nothing of this month is deleted, nor of a month that has only just ended', async () => {
    const usage = { retentionDays: 1 };
    expect((await leftAt(kind, '2026-12-01T20:00:00Z', usage)).left).toEqual(days);
    expect((await leftAt(kind, '2026-12-09T20:00:00Z', usage)).left).toEqual(['2026-12-05']);
  });

  test('without a retention records stay', async () => {
    expect(await leftAt(kind, '2028-12-01T00:00:00Z', {})).toEqual({ left: days, told: [] });
  });
});
