import type { Query } from '../port/port.ts';
import { int, optionalText, text } from '../schema/columns.ts';
import { sumOf, wideSum } from '../schema/wide-sums.ts';

export interface EstimateSums {
  /** Undefined if it was not recorded. */
  readonly reason: string | undefined;
  readonly platform: string | undefined;
  readonly model: string;
  readonly calls: number;
  readonly estimated: bigint;
}

/** UTC, both inclusive. Undefined apps: all. */
export interface EstimatesOf {
  readonly from: string;
  readonly to: string;
  readonly apps: readonly string[] | undefined;
}

/** Estimates of attempts, if a call has such rows. */
export function selectEstimates(
  { from, to, apps }: EstimatesOf,
  { after, until }: { readonly after: string; readonly until: string },
): Query<readonly EstimateSums[]> {
  const among = (apps ?? []).map((_, index) => `$${index + 5}`);
  const where = `call.call_id >= $1 and call.call_id < $2 and call.day >= $3 and call.day <= $4
    and call.estimated <> 0 ${apps === undefined ? '' : `and call.app in (${among.join(', ')})`}`;
  return {
    sql: `
      select reason, platform, model, count(distinct call_id) as calls,
             ${sumOf('estimated')} as estimated
        from (
          select call_id, estimate_reason as reason, platform, usage_model as model, estimated
            from call
           where ${where}
             and not exists (select 1 from attempt where attempt.call_id = call.call_id)
          union all
          select call.call_id, attempt.estimate_reason, attempt.platform, attempt.usage_model,
                 attempt.cost
            from call join attempt on attempt.call_id = call.call_id
           where ${where} and attempt.basis = 'estimated' and attempt.cost <> 0) estimates
       group by reason, platform, model`,
    values: [after, until, from, to, ...(apps ?? [])],
    isLong: true,
    map: (rows) =>
      rows.map((row) => ({
        reason: optionalText(row, 'reason'),
        platform: optionalText(row, 'platform'),
        model: text(row, 'model'),
        calls: int(row, 'calls'),
        estimated: wideSum(row, 'estimated'),
      })),
  };
}
