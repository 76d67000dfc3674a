import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { selectKeyStates } from '../../src/store/queries/ledger.ts';
import { pruneStatements } from '../../src/store/queries/prune-keys.ts';
import { text } from '../../src/store/schema/columns.ts';
import { loadMigrations } from '../../src/store/schema/migrations.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate.ts';
import { selectIdempotency } from '../../src/store/sqlite/statements.ts';
import { selectFirstKeyDay } from '../../src/store/sums/prune-calls.ts';

test.each([
  ...pruneStatements('call', 1).map(({ sql }) => sql),
  selectFirstKeyDay('call', 1).sql,
  selectIdempotency,
  selectKeyStates([{ app: 'a', keyHash: 'b' }]).sql,
])('keys and responses are found without a scan, however many calls there are: %#', (sql) => {
  const database = new DatabaseSync(':memory:');
  migrateSqlite(database, loadMigrations('sqlite'));
  const plan = database.prepare(`explain query plan ${sql.replaceAll('$', '?')}`).all();
  const steps = plan.map((row) => text(row, 'detail'));
  expect(steps.filter((step) => /^SCAN (?!wanted|CONSTANT ROW)/.test(step))).toEqual([]);
  expect(steps.filter((step) => /^SEARCH call (?!.*\(call_id=\?\))/.test(step))).toEqual([]);
  database.close();
});
