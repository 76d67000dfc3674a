import type pg from 'pg';
import { withClient } from './postgres-database.ts';

/**
 * Cleans used databases: returns them to the rows of a fresh one, which its migrations inserted.
 * Resolves to false for a database that differs by more than rows, or that is still in use.
 */
export async function createCleaner(fresh: string): Promise<(url: string) => Promise<boolean>> {
  const { state, reset } = await withClient(fresh, async (client) => ({
    state: await describeState(client),
    reset: await resetOf(client),
  }));
  return (url) =>
    withClient(url, async (client) => {
      if ((await describeState(client)) !== state) return false;
      await client.query(reset);
      return true;
    });
}

async function describeState(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ line: string }>(stateLines);
  return rows.map(({ line }) => line).join('\n');
}

/** Everything except rows that a test could leave. */
const stateLines = `
  with own as (select oid, relname, relkind from pg_class where relnamespace = 'public'::regnamespace)
  select format('%s %s', relkind, relname) as line from own
  union all
  select 'schema ' || nspname from pg_namespace where nspname !~ '^pg_'
  union all
  select format('column %s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod),
                attnotnull, pg_get_expr(adbin, adrelid))
    from own join pg_attribute on attrelid = own.oid and attnum > 0
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  union all
  select pg_get_indexdef(indexrelid) from own join pg_index on indrelid = own.oid
  union all
  select format('constraint %s %s', conname, pg_get_constraintdef(pg_constraint.oid))
    from own join pg_constraint on conrelid = own.oid
  union all
  select format('%s %s', pg_get_triggerdef(pg_trigger.oid), tgenabled)
    from own join pg_trigger on tgrelid = own.oid and not tgisinternal
  union all
  select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select format('setting %s %s', setrole, setconfig) from pg_db_role_setting
   where setdatabase = (select oid from pg_database where datname = current_database())
  union all
  select format('connection %s', application_name) from pg_stat_activity
   where datname = current_database() and pid <> pg_backend_pid()
     and backend_type = 'client backend'
  union all
  select format('migration %s %s', version, name) from schema_migration
  order by line`;

/** One transaction that no trigger and no foreign key hinders. */
async function resetOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string; kind: string }>(`
    select quote_ident(relname) as name, relkind as kind from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')`);
  const statements = ['begin', 'set local session_replication_role = replica'];
  for (const { name, kind } of rows) {
    if (kind === 'S') statements.push(`alter sequence ${name} restart`);
    else statements.push(`delete from ${name}`, ...(await insertOf(client, name)));
  }
  return [...statements, 'commit'].join(';\n');
}

/** The statement that inserts the rows that a table has now, if it has any. */
async function insertOf(client: pg.Client, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ literal: string | null }>(
    `select quote_literal(json_agg(each)) as literal from ${table} each`,
  );
  const literal = rows[0]?.literal ?? null;
  if (literal === null) return [];
  return [`insert into ${table} select * from json_populate_recordset(null::${table}, ${literal})`];
}
