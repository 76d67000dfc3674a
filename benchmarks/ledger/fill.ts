import type { SqlValue, Statement, Store } from '../../packages/server/src/store/port/port.ts';

export interface Filling {
  readonly calls: number;
  readonly apps: number;
  readonly wallets: number;
}

/** Rows of one step: PostgreSQL ends our transactions after 3 s. */
const stepRows = 20_000;
/** The days and models over which the calls are spread. */
const days = 40;
const models = 8;

/** A table of the numbers from the first value up to, but without, the second. */
export const numbers = {
  sqlite: `
    with recursive numbers (n) as (select $1 union all select n + 1 from numbers where n + 1 < $2)`,
  postgres: 'with numbers (n) as (select n from generate_series($1::bigint, $2::bigint - 1) as n)',
} as const;

export function appName(n: number): string {
  return `app-${n}`;
}

export function userName(n: number): string {
  return `user-${n}`;
}

/** Calls in whole days of every app: the requested number or a few more. */
export function roundedFilling({ calls, apps, wallets }: Filling): Filling {
  const perApp = (of: number, share: number) => Math.ceil(of / (apps * share)) * apps * share;
  return { calls: perApp(calls, days), apps, wallets: perApp(wallets, 1) };
}

/** Registers apps with the settings of an existing app. */
export async function fillApps(store: Store, like: string, { apps }: Filling): Promise<void> {
  await fill(store, apps, { into: insertApps, rows: appOfNumber, values: [like] });
}

/** Gives every app as many users' wallets, without any payment. */
export async function fillWallets(store: Store, { apps, wallets }: Filling): Promise<void> {
  const values = [BigInt(apps), '2026-11'];
  await fill(store, wallets, { into: insertWallets, rows: walletOfNumber, values, end: onceOnly });
  const topups = { into: insertTopups, rows: topupOfNumber, values: [BigInt(apps)], end: onceOnly };
  await fill(store, wallets, topups);
}

/** Books many calls at once in the ledger's form: records, usage and budgets agree. */
export async function fillCalls(store: Store, filling: Filling): Promise<void> {
  const { calls, apps, wallets } = filling;
  const callsOfDay = calls / days;
  const users = Math.max(1, wallets / apps);
  for (let number = 0; number < days; number++) {
    const { day, month, model } = dayOfNumber(number);
    const values = [BigInt(apps), BigInt(users), day, month, model];
    const part = { into: insertCalls, rows: callOfNumber, values };
    await fill(store, callsOfDay, { ...part, first: number * callsOfDay });
    const perApp = BigInt(callsOfDay / apps);
    const cost = perApp * 6_000_000n;
    const usage = [day, model, perApp, perApp * 24n, perApp * 4n, cost];
    await fill(store, apps, { into: insertUsage, rows: usageOfNumber, values: usage });
    const budget = [day, cost, perApp * 5_000_000n];
    await fill(store, apps, { into: insertBudgets, rows: budgetOfNumber, values: budget });
  }
  if (store.kind === 'postgres') await store.write([{ sql: 'analyze', values: [] }]);
}

interface Part {
  readonly into: string;
  /** Makes a row of each number n; its values begin with `$3`. */
  readonly rows: string;
  readonly values: readonly SqlValue[];
  readonly end?: string;
  readonly first?: number;
}

async function fill(store: Store, count: number, part: Part): Promise<void> {
  const { into, rows, end = '', first = 0 } = part;
  // SQLite requires the common table before the insert's own select, and PostgreSQL accepts it
  // there.
  const sql = [into, numbers[store.kind], rows, end].join('\n');
  for (let from = first; from < first + count; from += stepRows) {
    // SQLite stores a number as a real, and a bigint as an integer.
    const until = BigInt(Math.min(from + stepRows, first + count));
    const statement: Statement = { sql, values: [BigInt(from), until, ...part.values] };
    await store.write([statement]);
  }
}

function dayOfNumber(number: number) {
  const month = `2026-0${1 + Math.floor(number / 28)}`;
  const day = `${month}-${String(1 + (number % 28)).padStart(2, '0')}`;
  return { day, month, model: `model-${number % models}` };
}

const insertApps = `
  insert into app (name, origin, enabled, daily_budget, monthly_grant, pico_usd_per_credit,
    require_priced, store_answers, created_at)`;

const appOfNumber = `
  select 'app-' || cast(n as text), origin, enabled, daily_budget, monthly_grant,
         pico_usd_per_credit, require_priced, store_answers, created_at
    from numbers
    join app on app.name = $3`;

/** Wallets with earlier payments exist already. */
const onceOnly = 'on conflict do nothing';

const insertWallets = `
  insert into wallet_month (app, user_id, month, granted, pico_usd_per_credit, spent_grant,
    spent_topup, held_grant)`;

const walletOfNumber = `
  select 'app-' || cast(n % cast($3 as bigint) as text),
         'user-' || cast(n / cast($3 as bigint) as text),
         cast($4 as text), 1000000000000, 10000000000, 0, 0, 0
    from numbers
   where true`;

const insertTopups = 'insert into wallet_topup (app, user_id, added, spent, held)';

const topupOfNumber = `
  select 'app-' || cast(n % cast($3 as bigint) as text),
         'user-' || cast(n / cast($3 as bigint) as text), 0, 0, 0
    from numbers
   where true`;

const insertCalls = `
  insert into call (call_id, app, user_id, day, month, route, model, usage_model, price_version,
    started_at, code, input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens,
    reasoning_tokens, cost, estimated, basis, attempts, ended_at, wallet_grant, wallet_topup,
    held)`;

/** Ids sort by their number, and so by their day, like those of real calls. */
const callOfNumber = `
  select 'call_00fill' || cast(1000000000 + n as text),
         'app-' || cast(n % cast($3 as bigint) as text),
         'user-' || cast(n / cast($3 as bigint) % cast($4 as bigint) as text),
         cast($5 as text), cast($6 as text), 'chat', cast($7 as text), cast($7 as text), 'v1',
         1767225600000, 'OK', 24, 0, 0, 4, 0, 6000000, 0, 'exact', '[{}]', 1767225600100, 0, 0,
         1000000
    from numbers`;

const insertUsage = `
  insert into usage_day (app, day, model, calls, errors, input_tokens, cached_input_tokens,
    cache_write_input_tokens, output_tokens, reasoning_tokens, cost, estimated, unpriced_calls)`;

const usageOfNumber = `
  select 'app-' || cast(n as text), cast($3 as text), cast($4 as text), cast($5 as bigint), 0,
         cast($6 as bigint), 0, 0, cast($7 as bigint), 0, cast($8 as bigint), 0, 0
    from numbers`;

const insertBudgets = `
  insert into budget_day (app, day, cap, admitted_cap, spent, held, estimated, overrun)`;

const budgetOfNumber = `
  select 'app-' || cast(n as text), cast($3 as text), null, null, cast($4 as bigint), 0, 0,
         cast($5 as bigint)
    from numbers`;
