import { int, optionalText, text } from '../columns.ts';
import type { Query } from '../port.ts';
import { sumOf, wideSum } from '../wide-sums.ts';

/** Estimates of one reason, platform and model. */
export interface EstimateSums {
  /** Undefined where it was not noted. */
  readonly reason: string | undefined;
  readonly platform: string | undefined;
  readonly model: string;
  /** Calls that have such an estimate. */
  readonly calls: number;
  readonly estimated: bigint;
}

/** Which estimates are read: UTC days, both included, and all apps where none are named. */
export interface EstimatesOf {
  readonly from: string;
  readonly to: string;
  readonly apps: readonly string[] | undefined;
}

/** Estimates of calls whose ids are in a range; of a call with attempts those of the attempts. */
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
