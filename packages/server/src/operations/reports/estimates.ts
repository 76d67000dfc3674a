import { formatUsd } from '../../lib/money.ts';
import {
  type EstimateSums,
  type EstimatesOf,
  selectEstimates,
} from '../../store/sums/estimates.ts';
import { appRow } from '../apps/apps.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import { hoursWithCalls, type Progress } from '../days/closed-parts.ts';
import type { Estimates } from '../documents/reports.ts';

/**
 * Estimates without an exact cost or a correction, read hour by hour. Excludes pruned records.
 * Throws an AdminError for an unregistered app.
 */
export function readEstimates(
  context: AdminContext,
  query: EstimatesOf,
  progress: Progress = () => undefined,
): Promise<Estimates> {
  return context.reportQueue.run(
    () => estimatesOf(withOperatorReads(context), query, progress),
    (before) => progress(`${before} before this one`),
  );
}

async function estimatesOf(
  context: AdminContext,
  query: EstimatesOf,
  progress: Progress,
): Promise<Estimates> {
  const { store } = context;
  const { from, to, apps = [] } = query;
  for (const app of apps) await appRow(context, app);
  const sums = new Map<string, EstimateSums>();
  for await (const { hour, day, isNewDay } of hoursWithCalls(store, query)) {
    for (const row of await store.read(selectEstimates(query, hour))) {
      const key = JSON.stringify([row.reason ?? null, row.platform ?? null, row.model]);
      const { calls = 0, estimated = 0n } = sums.get(key) ?? {};
      const added = { calls: calls + row.calls, estimated: estimated + row.estimated };
      sums.set(key, { ...row, ...added });
    }
    if (isNewDay) progress(`records of ${day}`);
  }
  const rows = [...sums.entries()].sort(byAmount).map(([, sum]) => sum);
  const total = rows.reduce((all, { estimated }) => all + estimated, 0n);
  return { from, to, rows: rows.map(rowOf), totalUsd: formatUsd(total) };
}

function byAmount(
  [oneKey, one]: readonly [string, EstimateSums],
  [otherKey, other]: readonly [string, EstimateSums],
): number {
  if (one.estimated !== other.estimated) return one.estimated > other.estimated ? -1 : 1;
  return oneKey < otherKey ? -1 : 1;
}

function rowOf({
  reason,
  platform,
  model,
  calls,
  estimated,
}: EstimateSums): Estimates['rows'][number] {
  const named = { reason: reason ?? null, platform: platform ?? null };
  return { ...named, model, calls, estimatedUsd: formatUsd(estimated) };
}
