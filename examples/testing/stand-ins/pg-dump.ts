// A stand-in for pg_dump: writes the rows of every table of a database, in one snapshot, to a file
// for pg-restore.ts.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';

const { values, positionals } = parseArgs({
  options: { format: { type: 'string' }, file: { type: 'string' } },
  allowPositionals: true,
});
if (values.format !== 'custom' || values.file === undefined || positionals.length !== 1) {
  throw new Error('give it --format=custom, --file=F and the URL of a database');
}
const client = new pg.Client(positionals[0]);
await client.connect();
await client.query('begin isolation level repeatable read');
const { rows: tables } = await client.query<{ name: string }>(
  "select tablename as name from pg_tables where schemaname = 'public'",
);
// The rows stay text: a number of JavaScript could not hold every amount.
const dump: Record<string, string> = {};
for (const { name } of tables) {
  const text = `select coalesce(json_agg(t), '[]')::text as rows from "${name}" t`;
  const { rows } = await client.query<{ rows: string }>(text);
  dump[name] = rows[0]?.rows ?? '[]';
}
await client.end();
await writeFile(values.file, JSON.stringify(dump));
