import { recordMaximumCosts } from '../../../packages/server/src/ledger/roller.ts';
import { rollUp } from '../../../packages/server/src/ledger/rollups.ts';
import { firstCallIdAt } from '../../../packages/server/src/lib/id.ts';
import type { AdminContext } from '../../../packages/server/src/operations/context/context.ts';
import type { Statement, Store } from '../../../packages/server/src/store/port/port.ts';
import { type FilledApp, type FilledModel, insertCalls } from './call-rows.ts';

export interface Filling {
  readonly calls: number;
  readonly apps: readonly FilledApp[];
  readonly models: readonly FilledModel[];
  readonly users: number;
}

const dayMs = 86_400_000;
/** At least two whole months, to have a previous month for each comparison. */
const days = 70;
/** The time after this is for the calls that the check makes. */
const pauseMs = 60_000;
/** The rows of one step: a step must end within the store's response limit of 5 s. */
const stepRows = 2_000;
/** The first statement of a step: on a slow disk, 3 s are too few for such a transaction. */
const unlimited = { sql: 'set local transaction_timeout = 0', values: [] };

/**
 * Books finished calls of the last seventy days at once in the ledger's form. Records, usage,
 * budgets and the rollups of reports agree, to keep an audit clean.
 */
export async function fillCalls(admin: AdminContext, filling: Filling): Promise<void> {
  const { store, clock } = admin;
  const sql = insertCalls(store.kind, filling);
  const endMs = clock.now() - pauseMs;
  const today = Math.floor(endMs / dayMs);
  const perMs = filling.calls / (days * dayMs);
  let first = 1;
  for (let day = today - days + 1; day <= today; day++) {
    const spanMs = Math.max(1, Math.min(dayMs, endMs - day * dayMs));
    const end = first + Math.ceil(spanMs * perMs);
    const everyUs = BigInt(Math.floor((spanMs * 1000) / (end - first)));
    for (let from = first; from < end; from += stepRows) {
      const until = Math.min(from + stepRows, end);
      const atMs = BigInt(day * dayMs) + (BigInt(from - first) * everyUs) / 1000n;
      const name = new Date(day * dayMs).toISOString().slice(0, 10);
      const values = [BigInt(from), BigInt(until), name, atMs, everyUs];
      await write(store, { sql, values });
    }
    first = end;
    await addUp(store, day);
  }
  // Nobody else uses the store: a stopped clock skips the pauses for others.
  const parts = { store, clock: { ...clock, monotonic: () => 0 }, stepCalls: 40_000 };
  await rollUp(parts);
  await recordMaximumCosts(parts);
  if (store.kind === 'postgres') await write(store, { sql: 'analyze', values: [] });
}

async function write(store: Store, statement: Statement): Promise<void> {
  await store.write(store.kind === 'postgres' ? [unlimited, statement] : [statement]);
}

/** Usage and budgets of a day's calls, by the range of their ids. */
async function addUp(store: Store, day: number): Promise<void> {
  const values = [firstCallIdAt(day * dayMs), firstCallIdAt((day + 1) * dayMs)];
  await write(store, { sql: usageOfDay, values });
  await write(store, { sql: budgetsOfDay, values });
}

const usageOfDay = `
  insert into usage_day (app, day, model, calls, errors, input_tokens, cached_input_tokens,
    cache_write_input_tokens, output_tokens, reasoning_tokens, cost, estimated, unpriced_calls)
  select app, day, usage_model, count(*), sum(case when code = 'OK' then 0 else 1 end),
         sum(input_tokens), sum(cached_input_tokens), 0, sum(output_tokens), sum(reasoning_tokens),
         sum(cost), sum(estimated), 0
    from call
   where call_id >= $1 and call_id < $2
   group by app, day, usage_model`;

const budgetsOfDay = `
  insert into budget_day (app, day, cap, admitted_cap, spent, held, estimated, overrun)
  select app, day, null, null, sum(cost), 0, sum(estimated), 0
    from call
   where call_id >= $1 and call_id < $2
   group by app, day
  on conflict (app, day) do update
     set spent = excluded.spent, estimated = excluded.estimated`;
