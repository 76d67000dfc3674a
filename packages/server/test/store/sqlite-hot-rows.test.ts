import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { loadMigrations } from '../../src/store/migrations.ts';
import { readHold, readIdempotency } from '../../src/store/rows.ts';
import { loadRows, type Prepare } from '../../src/store/sqlite/ledger-rows.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate.ts';

// No two values of a row are alike, so that one at another's place is found.
const insertHolds = `
  insert into hold (call_id, app, day, month, user_id, route, model, usage_model, price_version,
    key_hash, started_at, budget_amount, grant_amount, topup_amount, extensions, owner, expires_at)
  values ('call', 'search', '2026-11-21', '2026-11', 'u', 'chat', 'm', 'other', 'v', 'key', 1, 2,
          3, 4, 5, 'o', 6),
         ('call2', 'search', '2026-11-21', null, null, 'chat', 'm', 'other', null, null, 1, 2,
          3, 4, 5, 'o', 6)`;
const insertKey = `
  insert into idempotency (app, key_hash, fingerprint, state, call_id, owner, expires_at,
    bad_outputs)
  values ('search', 'key', 'f', 'running', 'call', 'o', 1, 2)`;

test('the rows that every call reads by place are the same by name', () => {
  const database = new DatabaseSync(':memory:', { readBigInts: true });
  migrateSqlite(database, loadMigrations('sqlite'));
  database.exec(insertHolds);
  database.exec(insertKey);
  const prepare: Prepare = (sql) => database.prepare(sql.replaceAll('$', '?'));
  const none = { budgets: [], wallets: [], topups: [], entries: [] };
  const keys = { idempotency: [{ app: 'search', keyHash: 'key' }], callIds: ['call', 'call2'] };
  const loaded = loadRows(prepare, { ...none, ...keys }, 0);
  expect(loaded.holds).toHaveLength(2);
  expect(loaded.holds).toEqual(prepare('select * from hold').all().map(readHold));
  expect(loaded.idempotency).toHaveLength(1);
  expect(loaded.idempotency).toEqual(
    prepare('select * from idempotency').all().map(readIdempotency),
  );
  database.close();
});
