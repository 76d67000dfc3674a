import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { startDailyAudit } from '../../src/compose/daily-audit.ts';
import { webhookEvents } from '../../src/domain/notify.ts';
import { readInvoice } from '../../src/invoices/read-invoice.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createOutbox } from '../../src/notify/outbox.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { importInvoice } from '../../src/operations/reconcile/reconcile-import.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { costReport } from '../invoices/read.ts';
import { webhookTo } from '../notify/support/webhooks.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { ids, ledgerOn, reservation, settlement } from '../store/support/load.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createTestClock } from '../support/test-clock.ts';
import { watchStore } from '../support/watched-store.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const audit = { dailyAtMs: 3 * hourMs };
const hooks = [webhookTo('https://hooks.example/x', { name: 'ops', events: webhookEvents })];

describe.each(['sqlite', 'postgres'] as const)('the daily audit on %s', (kind) => {
  async function open(startsAt: string) {
    const { clock: _own, ...engine } =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
    const store = watchStore(engine);
    const clock = createTestClock({ pending: store.pending, startMs: Date.parse(startsAt) });
    const catalog = createCatalog({
      ...{ models: [], aliases: [], platforms: [], defaultPlatform: 'claude', shipped: [], clock },
    });
    const admin = { ...adminOn(store), clock };
    await createApp(admin, 'search', {});
    const told: object[] = [];
    const log = { ...silentLog, error: (fields: object) => void told.push(fields) };
    const start = (actor: string) =>
      startDailyAudit({ ...admin, actor }, { audit, webhooks: hooks, catalog, log });
    const lines = async () => {
      const search = { subject: 'ledger', actor: undefined, since: undefined, limit: 10 };
      return (await listLines(admin, search)).map(({ at, after }) => `${at.slice(0, 16)} ${after}`);
    };
    const alerts = async () => {
      const due = await createOutbox({ store, ids }).due('ops', clock.now(), 10);
      return due.map(({ type, subject, period, body }) => {
        return { type, subject, period, data: JSON.parse(body) };
      });
    };
    return { store, clock, admin, told, start, lines, alerts };
  }

  test('runs once a day, in one of the processes, and after startup if it is due', async () => {
    const { store, clock, start, lines, alerts } = await open('2026-11-23T02:58:00Z');
    const [one, other] = [start('one'), start('other')];
    await clock.advance(minuteMs);
    // The audit of the day before was missed.
    const missed = '2026-11-23T02:59 clean';
    expect(await lines()).toEqual([missed]);
    await clock.advance(5 * minuteMs);
    const first = ['2026-11-23T03:00 clean', missed];
    expect(await lines()).toEqual(first);
    await Promise.all([one?.stop(), other?.stop()]);
    const again = start('again');
    await clock.advance(5 * minuteMs);
    expect(await lines()).toEqual(first);
    await again?.stop();
    await clock.advance(30 * hourMs);
    const late = start('late');
    await clock.advance(2 * minuteMs);
    expect(await lines()).toEqual(['2026-11-24T09:10 clean', ...first]);
    expect(await alerts()).toEqual([]);
    await late?.stop();
    await store.close();
  });

  test('reports broken rules to the log and the webhooks, once a day', async () => {
    const { store, clock, told, start, lines, alerts } = await open('2026-11-23T03:01:00Z');
    const reserved = reservation({ app: 'search', amount: 2n });
    const ledger = ledgerOn(store);
    await ledger.reserve(reserved, () => false);
    await ledger.settle(settlement(reserved, 1n));
    await store.write([{ sql: 'update budget_day set spent = spent + 1', values: [] }]);
    const daily = start('one');
    await clock.advance(5 * minuteMs);
    const [line = ''] = await lines();
    expect(line).toMatch(/ broken: I4-budget$/);
    const rules = line.replace(/.* broken: /, '');
    expect(told).toEqual([{ rules: rules.split(', ') }]);
    const breach = { type: 'audit.breach', subject: 'ledger', period: '2026-11-23' };
    expect(await alerts()).toEqual([{ ...breach, data: { day: '2026-11-23', rules } }]);
    await daily?.stop();
    await store.close();
  });

  test('reports a final invoice that differs from the ledger', async () => {
    const { store, clock, admin, start, alerts } = await open('2026-06-15T12:00:00Z');
    await bindProject(admin, { app: 'search', platform: 'claude', projectId: 'wrkspc_1' });
    const fetched = () => {
      const page = costReport({ amount: '2500' });
      const chunks = (async function* () {
        yield Buffer.from(page);
      })();
      const range = { from: '2026-06-14', to: '2026-06-14' };
      return importInvoice(admin, {
        ...{ platform: 'claude', range, read: () => readInvoice([{ name: 'page', chunks }]) },
      });
    };
    await fetched();
    const daily = start('one');
    await clock.advance(5 * minuteMs);
    expect(await alerts()).toEqual([]);
    await clock.advance(48 * hourMs);
    await fetched();
    await clock.advance(24 * hourMs);
    const drift = {
      ...{ type: 'invoice.drift', subject: 'app:search', period: '2026-06-14' },
      data: {
        ...{ platform: 'claude', app: 'search', day: '2026-06-14' },
        ...{ invoiceUsd: '25', bookedUsd: '0', differenceUsd: '25' },
      },
    };
    expect(await alerts()).toEqual([drift]);
    await clock.advance(24 * hourMs);
    expect(await alerts()).toEqual([drift]);
    await daily?.stop();
    await store.close();
  });
});

test('does not run without a time', async () => {
  const store = openDirectStore(':memory:');
  const catalog = createCatalog({
    ...{ models: [], aliases: [], platforms: [], defaultPlatform: 'x', shipped: [] },
    clock: adminOn(store).clock,
  });
  const parts = { audit: undefined, webhooks: hooks, catalog, log: silentLog };
  expect(startDailyAudit(adminOn(store), parts)).toBeUndefined();
  await store.close();
});
