import type { Statement } from '../port/port.ts';

/** Keys per step, so no step locks the database for long. */
export const pruneStepMax = 1_000;

/**
 * At most {@link pruneStepMax} ended keys, answers and results each. Call ids sort by time, so this
 * needs no index. The second and fourth counts show whether more remain.
 */
export function pruneStatements(beforeCallId: string, nowMs: number): readonly Statement[] {
  return [
    {
      sql: `
        delete from idempotency
         where (app, key_hash) in (
                 select app, key_hash from answer
                  where call_id < $1 order by call_id limit $2)
           and state <> 'running' and expires_at <= $3`,
      values: [beforeCallId, pruneStepMax, nowMs],
    },
    {
      // An answer is deleted only after its key, because a key with the state "answered" requires
      // it.
      sql: `
        delete from answer
         where call_id in (
                 select call_id from answer where call_id < $1 order by call_id limit $2)
           and not exists (
                 select 1 from idempotency
                  where idempotency.app = answer.app and idempotency.key_hash = answer.key_hash
                    and idempotency.call_id = answer.call_id)`,
      values: [beforeCallId, pruneStepMax],
    },
    {
      sql: `
        delete from idempotency
         where (app, key_hash) in (
                 select app, key_hash from result
                  where call_id < $1 order by call_id limit $2)
           and state <> 'running' and expires_at <= $3`,
      values: [beforeCallId, pruneStepMax, nowMs],
    },
    {
      sql: `
        delete from result
         where call_id in (
                 select call_id from result where call_id < $1 order by call_id limit $2)
           and not exists (
                 select 1 from idempotency
                  where idempotency.app = result.app and idempotency.key_hash = result.key_hash
                    and idempotency.call_id = result.call_id)`,
      values: [beforeCallId, pruneStepMax],
    },
  ];
}
