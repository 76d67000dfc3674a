// A stand-in for psql, where PostgreSQL's own programs are not installed. Runs the statements of -c
// on the server that the environment names, and prints nothing, as -q requires.
import { parseArgs } from 'node:util';
import pg from 'pg';

const { values } = parseArgs({
  options: {
    quiet: { type: 'boolean', short: 'q' },
    command: { type: 'string', short: 'c', multiple: true },
  },
});
if (values.quiet !== true || values.command === undefined) throw new Error('give it -q and -c');
const client = new pg.Client();
await client.connect();
for (const command of values.command) await client.query(command);
await client.end();
