import pg from 'pg';
import type { Log } from '../../lib/log.ts';
import { loadMigrations } from '../migrations.ts';
import { StoreError } from '../port.ts';
import { connectionOptions } from './connection.ts';
import { messageOf } from './failure.ts';
import { type Migrating, migratePostgres } from './migrate.ts';

/** The version in which `transaction_timeout` came. */
const transactionTimeoutSince = 170_000;

/**
 * Migrates, and warns where the server would lose what it has acknowledged. Answers the text that
 * begins a transaction. Throws a StoreError when the server cannot be used.
 */
export async function prepareServer(
  url: string,
  log: Log,
  migrating: Partial<Migrating> = {},
): Promise<string> {
  const client = new pg.Client({ ...connectionOptions(url), pipeline: false });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await migratePostgres(client, { ...defaultMigrating(), ...migrating });
    for (const setting of ['fsync', 'synchronous_commit']) {
      if ((await settingOf(client, setting)) !== 'off') continue;
      log.warn({ setting }, 'the database may lose what it has confirmed: turn this setting on');
    }
    return beginText(Number(await settingOf(client, 'server_version_num')));
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError(`cannot open the store: ${messageOf(cause)}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function defaultMigrating(): Migrating {
  return { migrations: loadMigrations('postgres'), othersMs: 30_000, tablesMs: 2_000 };
}

async function settingOf(client: pg.Client, setting: string): Promise<string | undefined> {
  const text = 'select current_setting($1) as value';
  const { rows } = await client.query<{ value: string }>(text, [setting]);
  return rows[0]?.value;
}

/**
 * A transaction of bounded length, so that a replica that freezes with its locks stops nobody. Its
 * statements are planned once, when the tables may still be empty: the plan is told that they grow.
 */
function beginText(serverVersion: number): string {
  const limits = [
    'begin isolation level read committed',
    "set local idle_in_transaction_session_timeout = '1s'",
    "set local lock_timeout = '2s'",
    'set local enable_seqscan = off',
  ];
  if (serverVersion >= transactionTimeoutSince) limits.push("set local transaction_timeout = '3s'");
  return limits.join('; ');
}
