import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { loadMigrations } from '../../src/store/schema/migrations.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openReplica } from './support/books.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const day = "insert into budget_day values ('search', '2026-11-21', null, null,";
const wrong: readonly (readonly [table: string, sql: string])[] = [
  ['budget_day', `${day} 0, -1, 0, 0)`],
  ['budget_day', `${day} 0, 0, -1, 0)`],
  [
    'budget_scope',
    `insert into budget_scope (scope, period, cap, mode, brought, spent, held, estimated, overrun,
       pruned, would_refuse, would_refuse_amount)
     values ('group:a', '2026-11', 5, 'enforce', 0, -1, 0, 0, 0, 0, 0, 0)`,
  ],
  ['wallet_month', "insert into wallet_month values ('a', 'ada', '2026-11', 9, 1, 0, 0, -1)"],
  ['wallet_topup', "insert into wallet_topup values ('a', 'ada', 5, -1, 0)"],
  ['hold', holdOf('4, 3, 2')],
  ['hold', holdOf('4, -1, 0')],
  ['call', callOf('5, 6')],
  ['call', callOf('-1, -1')],
];
const right = [`${day} 5, 4, 5, 6)`, holdOf('5, 3, 2'), callOf('5, 5')];

/** A reservation of a budget's amount, of the grant and of the top-up. */
function holdOf(amounts: string): string {
  return `insert into hold (call_id, app, day, route, model, usage_model, started_at,
            budget_amount, grant_amount, topup_amount, extensions, owner, expires_at)
          values ('call_h', 'a', '2026-11-21', 'chat', 'm', 'm', 1, ${amounts}, 0, 'alpha', 2)`;
}

/** A call of a cost and its estimated part. */
function callOf(amounts: string): string {
  return `insert into call (call_id, app, day, route, model, usage_model, started_at, code,
            input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
            reasoning_tokens, cost, estimated, basis, attempts, ended_at, wallet_grant,
            wallet_topup, held)
          values ('call_c', 'a', '2026-11-21', 'chat', 'm', 'm', 1, 'OK', 0, 0, 0, 0, 0,
            ${amounts}, 'exact', '[]', 2, 0, 0, 9)`;
}

const write = (store: Store, sql: string) => store.write([{ sql, values: [] }]);

/** A store of the version before the constraints, and one of this version on the same database. */
async function opening(kind: Store['kind']) {
  const migrations = loadMigrations(kind);
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === 'enforced'),
  );
  if (kind === 'postgres') {
    const url = await server.database({ empty: true });
    return {
      url,
      async old(sql: readonly string[]) {
        const client = new pg.Client(url);
        await client.connect();
        await migratePostgres(client, { migrations: before, othersMs: 9_000, tablesMs: 9_000 });
        for (const text of sql) await client.query(text);
        await client.end();
      },
      now: () => openReplica(url),
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-constraints-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const url = join(folder, 'gateway.db');
  return {
    url,
    async old(sql: readonly string[]) {
      const store = openDirectStore(url, { migrations: before });
      for (const text of sql) await write(store, text);
      await store.close();
    },
    now: async () => openDirectStore(url),
  };
}

describe.each(['sqlite', 'postgres'] as const)('constraints on %s', (kind) => {
  test('reject rows that the ledger cannot write, in a new store and in an old one', async () => {
    for (const isOld of [false, true]) {
      const { old, now } = await opening(kind);
      if (isOld) await old([]);
      const store = await now();
      for (const [table, sql] of wrong) {
        await expect(write(store, sql), sql).rejects.toThrow(`${table}_amounts`);
      }
      for (const sql of right) expect(await write(store, sql)).toEqual([1]);
      await store.close();
    }
  });

  test.each(wrong)(
    'an old store with a wrong row in %s starts, and its audit counts it',
    async (table, sql) => {
      const { old, now } = await opening(kind);
      await old([sql]);
      const store = await now();
      onTestFinished(() => store.close());
      const { checks } = await audit(store, systemClock.now());
      const check = checks.find(({ id }) => id === 'I6');
      expect(check).toMatchObject({ ok: false, figure: 1, rows: [expect.stringContaining(table)] });
      // The other tables have their own.
      const [, other] = wrong.find(([name]) => name !== table && name !== 'call') ?? [];
      await expect(write(store, other ?? '')).rejects.toThrow('_amounts');
    },
  );
});
