import pg from 'pg';
import type { Log } from '../../lib/log.ts';
import { StoreError } from '../port/port.ts';
import { loadMigrations } from '../schema/migrations.ts';
import { connectionOptions } from './connection/connection.ts';
import { messageOf } from './connection/failure.ts';
import { type Migrating, migratePostgres } from './migrate.ts';

/** The versions that added `plan_cache_mode` and `transaction_timeout`. */
const planCacheModeSince = 120_000;
const transactionTimeoutSince = 170_000;

export interface Begin {
  readonly batch: readonly string[];
  readonly change: string;
}

/**
 * Warns if the server might lose what it acknowledged. Throws a StoreError if it cannot be used.
 */
export async function prepareServer(
  url: string,
  log: Log,
  migrating: Partial<Migrating> = {},
): Promise<Begin> {
  const client = clientOf(url);
  try {
    await client.connect();
    await migratePostgres(client, { ...defaultMigrating(), ...migrating });
    for (const setting of ['fsync', 'synchronous_commit']) {
      if ((await settingOf(client, setting)) !== 'off') continue;
      log.warn({ setting }, 'database can lose confirmed commits; turn this setting on');
    }
    return beginOn(Number(await settingOf(client, 'server_version_num')));
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError(`cannot open the store ${addressOf(url)}: ${messageOf(cause)}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** As the driver parses the URL; never a password. */
function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams, username } = new URL(url);
  const host = searchParams.get('host') ?? (hostname || 'localhost');
  const database = decoded(pathname.slice(1)) || decoded(username) || 'postgres';
  return `${database} on ${decoded(host)}${host.includes('/') ? '' : `:${port || '5432'}`}`;
}

/** A `%` that begins no character stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The constructor reads the files that the URL names. */
function clientOf(url: string): pg.Client {
  try {
    const client = new pg.Client({ ...connectionOptions(url), pipeline: false });
    client.on('error', () => undefined);
    return client;
  } catch (cause) {
    const what = `a certificate or key named in its URL cannot be read: ${messageOf(cause)}`;
    throw new StoreError(`cannot open the store ${addressOf(url)}: ${what}`, { cause });
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
 * Time limits: a frozen replica's locks must not block others. Statements may be planned on empty
 * tables, so no sequential scans. Remaining scans seem expensive, and JIT would compile for
 * seconds, under locks.
 */
function beginOn(serverVersion: number): Begin {
  const begin = 'begin isolation level read committed';
  const settings = [
    "select set_config('idle_in_transaction_session_timeout', '1s', true)",
    "set_config('lock_timeout', '2s', true)",
    "set_config('enable_seqscan', 'off', true)",
    "set_config('jit', 'off', true)",
  ];
  if (serverVersion >= transactionTimeoutSince) {
    settings.push("set_config('transaction_timeout', '3s', true)");
  }
  // A batch's statements are planned once per connection, whatever the server would choose.
  const planOnce =
    serverVersion >= planCacheModeSince
      ? ["set_config('plan_cache_mode', 'force_generic_plan', true)"]
      : [];
  return {
    batch: [begin, [...settings, ...planOnce].join(', ')],
    change: [begin, settings.join(', ')].join('; '),
  };
}
