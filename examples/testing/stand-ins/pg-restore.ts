// A stand-in for pg_restore: replaces a database's rows by those of pg-dump.ts. No other client may
// be connected, since the real one creates the tables again.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';

const { values, positionals } = parseArgs({
  options: {
    clean: { type: 'boolean' },
    'if-exists': { type: 'boolean' },
    'no-owner': { type: 'boolean' },
    dbname: { type: 'string' },
  },
  allowPositionals: true,
});
const [file] = positionals;
if (values.clean !== true || values.dbname === undefined || file === undefined) {
  throw new Error('give it --clean, --dbname=URL and a file');
}
const dump: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
const client = new pg.Client(values.dbname);
await client.connect();
const { rows } = await client.query<{ others: number }>(
  `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`,
);
if (rows[0]?.others !== 0) throw new Error('stop the services first: they are connected');
await client.query('begin');
for (const [name, text] of Object.entries(dump)) {
  // An append-only table rejects it: the real one drops the table with its triggers.
  await client.query(`alter table "${name}" disable trigger user`);
  await client.query(`delete from "${name}"`);
  const insert = `insert into "${name}" select * from json_populate_recordset(null::"${name}", $1)`;
  await client.query(insert, [text]);
  await client.query(`alter table "${name}" enable trigger user`);
}
await client.query('commit');
await client.end();
