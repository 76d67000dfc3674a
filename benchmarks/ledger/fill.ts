import type { Statement, Store } from '../../packages/server/src/store/port.ts';

/** Calls of one step: PostgreSQL ends a transaction of ours that lasts more than 3 s. */
const stepCalls = 20_000;
/** The days that the calls are spread over, and the models. */
const days = 40;
const models = 8;

const numbers = {
  sqlite: `
    with recursive numbers (n) as (select $1 union all select n + 1 from numbers where n + 1 < $2)`,
  postgres: 'with numbers (n) as (select n from generate_series($1::bigint, $2::bigint - 1) as n)',
} as const;

const insertCalls = `
  insert into call (call_id, app, day, route, model, usage_model, price_version, started_at, code,
    input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
    cost, estimated, basis, attempts, ended_at, wallet_grant, wallet_topup, held)`;

const callOfNumber = `
  select 'call_00fill' || substr('0000000000' || n, -10), 'search',
         '2026-0' || (1 + (n % 40) / 28) || '-' || substr('0' || (1 + (n % 40) % 28), -2),
         'chat', 'model-' || (n % 8), 'model-' || (n % 8), 'v1', 1767225600000, 'OK',
         24, 0, 0, 4, 0, 6000000, 0, 'exact', '[]', 1767225600100, 0, 0, 1000000
    from numbers`;

/** Books many calls at once, as the ledger would have: records, usage and budgets agree. */
export async function fillCalls(store: Store, calls: number): Promise<void> {
  const dialect = numbers[store.kind];
  const call =
    store.kind === 'sqlite'
      ? callOfNumber
      : callOfNumber
          .replaceAll(/substr\('0+' \|\| (.+?), -(\d+)\)/g, "lpad(($1)::text, $2, '0')")
          .replaceAll(/'model-' \|\| \(n % 8\)/g, "'model-' || (n % 8)::text");
  // SQLite wants the common table before the insert's own select, and PostgreSQL takes it there.
  const sql = `${insertCalls} ${dialect} ${call}`;
  for (let first = 0; first < calls; first += stepCalls) {
    // SQLite takes a number for a real one, and a bigint for an integer.
    const until = BigInt(Math.min(first + stepCalls, calls));
    await store.write([{ sql, values: [BigInt(first), until] }]);
  }
  await store.write(rollupsOf(BigInt(calls)));
  if (store.kind === 'postgres') await store.write([{ sql: 'analyze', values: [] }]);
}

/** Call n is of day n modulo 40 and model n modulo 8, so each day has one model. */
function rollupsOf(calls: bigint): readonly Statement[] {
  const perDay = calls / BigInt(days);
  return Array.from({ length: days }, (_, index): readonly Statement[] => {
    const month = `2026-0${1 + Math.floor(index / 28)}`;
    const day = `${month}-${String(1 + (index % 28)).padStart(2, '0')}`;
    const cost = perDay * 6_000_000n;
    const usage = [day, `model-${index % models}`, perDay, perDay * 24n, perDay * 4n, cost];
    return [
      { sql: insertUsage, values: usage },
      { sql: insertBudget, values: [day, cost, perDay * 5_000_000n] },
    ];
  }).flat();
}

const insertUsage = `
  insert into usage_day (app, day, model, calls, errors, input_tokens, cached_input_tokens,
    cache_write_input_tokens, output_tokens, reasoning_tokens, cost, estimated, unpriced_calls)
  values ('search', $1, $2, $3, 0, $4, 0, 0, $5, 0, $6, 0, 0)`;

const insertBudget = `
  insert into budget_day (app, day, cap, admitted_cap, spent, held, estimated, overrun)
  values ('search', $1, null, null, $2, 0, 0, $3)`;
