import { firstCallIdAt } from '../../packages/server/src/lib/id.ts';
import type { SqlValue, Store } from '../../packages/server/src/store/port/port.ts';
import { numbers } from '../ledger/fill.ts';

/**
 * The size of a month: closed hours are written as rollups, and only calls without a rollup have
 * records.
 */
export interface Month {
  readonly apps: number;
  readonly users: number;
  readonly calls: number;
  readonly models: number;
  /** Calls after the last closed hour, and calls that changed after their hour was closed. */
  readonly open: number;
  readonly late: number;
}

/** Rows of one step: PostgreSQL ends our transactions after 3 s. */
const stepRows = 20_000;
const days = 30;
const month = '2026-11';
/** The last hour of the rollups ends here. */
const rolledMs = Date.UTC(2026, 10, 30, 22);

/** Writes a month of {@link Month.calls} calls, in the service's form at the month's end. */
export async function fillMonth(store: Store, parts: Month): Promise<void> {
  const { apps, users, calls, models, open, late } = parts;
  const mark = firstCallIdAt(rolledMs);
  const perUser = Math.round(calls / users);
  await fill(store, users, userOfNumber, [BigInt(apps), month, BigInt(perUser)]);
  const splits = days * apps * models;
  const perSplit = Math.round(calls / splits);
  await fill(store, splits, splitOfNumber, [BigInt(apps), BigInt(models), BigInt(perSplit)]);
  const many = [BigInt(apps), BigInt(users), BigInt(models)];
  await fill(store, late, adjustmentOfNumber, [
    ...many,
    firstCallIdAt(rolledMs - 1_000).slice(0, 15),
  ]);
  await fill(store, open, callOfNumber, [...many, mark.slice(0, 15)]);
  const begin =
    'insert into rollup_state (id, closed_until, rolled_until, pruned_steps) values (1, $1, $1, 0)';
  await store.write([{ sql: begin, values: [mark] }]);
  if (store.kind === 'sqlite') return;
  for (const table of ['call', 'usage_late', 'usage_split', 'usage_user_month']) {
    await store.write([{ sql: `analyze ${table}`, values: [] }]);
  }
}

/** Calls of an ended hour without rollups: nearly every call has another user and model. */
export async function fillHour(store: Store, parts: Omit<Month, 'open' | 'late'>): Promise<void> {
  const { apps, users, calls, models } = parts;
  const id = firstCallIdAt(rolledMs).slice(0, 15);
  await fill(store, calls, callOfNumber, [BigInt(apps), BigInt(users), BigInt(models), id]);
  if (store.kind === 'postgres') await store.write([{ sql: 'analyze call', values: [] }]);
}

async function fill(store: Store, count: number, rows: string, values: readonly SqlValue[]) {
  const [into = '', ...select] = rows.trim().split('\n\n');
  const sql = [into, numbers[store.kind], ...select].join('\n');
  for (let from = 0; from < count; from += stepRows) {
    const until = Math.min(from + stepRows, count);
    await store.write([{ sql, values: [BigInt(from), BigInt(until), ...values] }]);
  }
}

const columns = `calls, errors, input_tokens, cached_input_tokens,
    cache_write_input_tokens, output_tokens, reasoning_tokens, cache_write1h_input_tokens, cost,
    estimated, corrected, unpriced, unpriced_calls`;

const appOf = (n: string) => `'app-' || cast(${n} % cast($3 as bigint) as text)`;
const userOf = (n: string) => `'user-' || cast(${n} as text)`;
const modelOf = (n: string, at: string) => `'model-' || cast(${n} % cast(${at} as bigint) as text)`;
/** Different amounts, in no order. */
const costOf = (n: string) => `(${n} * 7919 % 1000003) * 1000000`;

const userOfNumber = `
insert into usage_user_month (month, app, user_id, ${columns})

  select $4, ${appOf('n')}, ${userOf('n')}, cast($5 as bigint), 0, 240, 0, 0, 40, 0, 0,
         ${costOf('n')}, 0, 0, 0, 0
    from numbers`;

const splitOfNumber = `
insert into usage_split (day, app, model, platform, key_id, ${columns})

  select '2026-11-' || substr(cast(101 + n / (cast($3 as bigint) * cast($4 as bigint)) as text), 2),
         ${appOf('n')}, ${modelOf('n / cast($3 as bigint)', '$4')}, 'hosted',
         'key_' || cast(n % cast($3 as bigint) as text), cast($5 as bigint), 0, 240, 0, 0, 40, 0, 0,
         ${costOf('n')}, 0, 0, 0, 0
    from numbers`;

const adjustmentOfNumber = `
insert into usage_late (call_id, day, app, model, platform, key_id, user_id, ${columns})

  select $6 || cast(1000000 + n as text), '2026-11-29', ${appOf('n * 61')},
         ${modelOf('n', '$5')}, 'hosted', 'key_one',
         ${userOf('n * 61 % cast($4 as bigint)')}, 0, 0, 0, 0, 0, 0, 0, 0, ${costOf('n')}, 0, 1, 0, 0
    from numbers`;

const callOfNumber = `
insert into call (call_id, app, user_id, day, month, route, model, usage_model, price_version,
    started_at, code, input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
    reasoning_tokens, cost, estimated, basis, attempts, ended_at, wallet_grant, wallet_topup,
    held)

  select $6 || cast(1000000 + n as text), ${appOf('n * 37')},
         ${userOf('n * 37 % cast($4 as bigint)')}, '2026-11-30', '2026-11', 'chat',
         ${modelOf('n', '$5')}, ${modelOf('n', '$5')}, 'v1', 1796076000000, 'OK', 24, 0, 0, 4, 0,
         ${costOf('n')}, 0, 'exact', '[{}]', 1796076000100, 0, 0, 1000000
    from numbers`;
