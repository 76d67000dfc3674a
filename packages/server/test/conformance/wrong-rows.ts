import type { Store } from '../../src/store/port/port.ts';

/** Allows rows in a table that its constraint rejects, until the returned function is called. */
export async function letWrongRowsIn(store: Store, table: string): Promise<() => Promise<void>> {
  const run = async (sql: string) => void (await store.write([{ sql, values: [] }]));
  if (store.kind === 'sqlite') {
    await run('pragma ignore_check_constraints = on');
    return () => run('pragma ignore_check_constraints = off');
  }
  const name = `${table}_amounts`;
  const definition = await store.read({
    sql: 'select pg_get_constraintdef(oid) as definition from pg_constraint where conname = $1',
    values: [name],
    map: ([row]) => String(row?.definition),
  });
  await run(`alter table ${table} drop constraint ${name}`);
  return () => run(`alter table ${table} add constraint ${name} ${definition}`);
}
