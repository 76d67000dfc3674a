import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { auditLines } from '../../src/store/schema/audit-table.ts';
import { createBinder, createReader } from '../../src/store/schema/describe.ts';
import { type Description, fieldsOf } from '../../src/store/schema/description.ts';
import { userErasures } from '../../src/store/schema/erasure-table.ts';
import { loadMigrations } from '../../src/store/schema/migrations.ts';
import { prices } from '../../src/store/schema/price-table.ts';
import * as scopes from '../../src/store/schema/scope-tables.ts';
import * as service from '../../src/store/schema/service-tables.ts';
import * as tables from '../../src/store/schema/tables.ts';
import { loadRows, type Prepare } from '../../src/store/sqlite/ledger-rows.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate.ts';

// All values of a row differ, so a value in the wrong column is found.
const insertHolds = `
  insert into hold (call_id, app, day, month, user_id, route, model, usage_model, price_version,
    key_hash, started_at, budget_amount, grant_amount, topup_amount, extensions, owner, expires_at)
  values ('call', 'search', '2026-11-21', '2026-11', 'u', 'chat', 'm', 'other', 'v', 'key', 1, 9,
          3, 4, 5, 'o', 6),
         ('call2', 'search', '2026-11-21', null, null, 'chat', 'm', 'other', null, null, 1, 9,
          3, 4, 5, 'o', 6)`;
const insertKey = `
  insert into idempotency (app, key_hash, fingerprint, state, call_id, owner, expires_at,
    bad_outputs)
  values ('search', 'key', 'f', 'running', 'call', 'o', 1, 2)`;

test('the rows that every call reads by position are the same by name', () => {
  const database = new DatabaseSync(':memory:', { readBigInts: true });
  migrateSqlite(database, loadMigrations('sqlite'));
  database.exec(insertHolds);
  database.exec(insertKey);
  const prepare: Prepare = (sql) => database.prepare(sql.replaceAll('$', '?'));
  const none = {
    budgets: [],
    scopes: [],
    isReserving: false,
    wallets: [],
    topups: [],
    entries: [],
    settledIds: [],
    correctedIds: [],
    unclaimedIds: [],
  };
  const keys = { idempotency: [{ app: 'search', keyHash: 'key' }], callIds: ['call', 'call2'] };
  const loaded = loadRows(prepare, { ...none, ...keys });
  expect(loaded.holds).toHaveLength(2);
  expect(loaded.holds).toEqual(prepare('select * from hold').all().map(tables.holds.read));
  expect(loaded.idempotency).toHaveLength(1);
  expect(loaded.idempotency).toEqual(
    prepare('select * from idempotency').all().map(tables.idempotencyKeys.read),
  );
  database.close();
});

const described = [
  tables.budgetDays,
  tables.walletMonths,
  tables.walletTopups,
  tables.walletEntries,
  tables.holds,
  tables.calls,
  tables.attempts,
  tables.usageDays,
  tables.idempotencyKeys,
  tables.answers,
  tables.results,
  auditLines,
  userErasures,
  ...[service.apps, service.apiKeys, service.projectBindings, prices],
  ...[scopes.budgetScopes, scopes.budgetMembers, scopes.budgetDefinitions],
  ...[service.instances, service.leases, service.planUses, service.keyUses],
  service.refusalHours,
];

test.each(described)('the columns of $name are those of its schema', ({ name, columns, key }) => {
  const database = new DatabaseSync(':memory:', { readBigInts: true });
  migrateSqlite(database, loadMigrations('sqlite'));
  const schema = database.prepare('select name, type, pk from pragma_table_info(?)').all(name);
  const types = { text: 'TEXT', bigint: 'INTEGER' };
  expect(new Map(columns.map((column) => [column.name, types[column.type]]))).toEqual(
    new Map(schema.map((row) => [row.name, row.type])),
  );
  const keyOfSchema = schema.filter(({ pk }) => Number(pk) > 0);
  expect(key.map((column) => column.name)).toEqual(keyOfSchema.map((row) => row.name));
  database.close();
});

interface Row {
  readonly id: string;
  readonly amount: bigint | undefined;
}
const describeRow: Description<Row> = (row, as) => ({
  id: as.text(row.id),
  amount: as.optionalBig(row.amount),
});

test('a description reads, binds and reports columns in one order', () => {
  const row = { id: 'a', amount: undefined };
  const fields = fieldsOf(describeRow);
  expect(fields).toEqual([
    { field: 'id', kind: 'text', known: [] },
    { field: 'amount', kind: 'optionalBig', known: [] },
  ]);
  expect(createBinder(fields)(row)).toEqual(['a', null]);
  expect(createReader(describeRow, ['id', 'amount'])(['a', null])).toEqual(row);
  expect(() => createReader(describeRow, ['id', 'amount'])(['a', 'b'])).toThrow(
    'column amount contains string, not an integer',
  );
});

test('a field that is missing, unknown or has another type does not compile', () => {
  // @ts-expect-error a field is missing
  const missing: Description<Row> = (row, as) => ({ id: as.text(row.id) });
  const unknown: Description<Row> = (row, as) => ({
    ...describeRow(row, as),
    // @ts-expect-error a field is not of the row
    amonut: as.optionalBig(row.amonut),
  });
  const other: Description<Row> = (row, as) => ({
    id: as.text(row.id),
    // @ts-expect-error a field may be missing, and its column may not be null
    amount: as.big(row.amount),
  });
  expect([missing, unknown, other].map((wrong) => typeof wrong)).toHaveLength(3);
});

test('a field with the value of another is rejected at startup', () => {
  const swapped: Description<{ a: string; b: string }> = (row, as) => ({
    a: as.text(row.b),
    b: as.text(row.a),
  });
  expect(() => fieldsOf(swapped)).toThrow('column 1 is field a, but gets b');
});
