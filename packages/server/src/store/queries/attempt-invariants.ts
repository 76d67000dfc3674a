export interface Invariant {
  readonly id: string;
  readonly rule: string;
  /** Returns `breaches`, the number of bad rows. */
  readonly sql: string;
  readonly rowsSql?: string;
  readonly usesTime?: true;
}

export const attemptInvariants: readonly Invariant[] = [
  {
    id: 'I4-call',
    rule: 'the cost of a call with several attempts is the sum of their costs, and the attempts are numbered from 1',
    // The previous version corrects a call without its attempts. A settled call without any attempt
    // has lost them.
    sql: `
      select (select count(*)
                from (
                  select attempt.call_id
                    from attempt
                   cross join call
                   where call.call_id = attempt.call_id
                   group by attempt.call_id, call.cost, call.estimated, call.basis
                  having count(*) < 2 or min(attempt.n) <> 1 or max(attempt.n) <> count(*)
                      or ((call.basis <> 'corrected'
                           or sum(case when attempt.basis = 'corrected' then 1 else 0 end) > 0)
                          and (sum(attempt.cost) <> call.cost
                               or sum(case when attempt.basis = 'estimated' then attempt.cost
                                           else 0 end) <> call.estimated))) wrong)
           + (select count(*)
                from call
               where attempts = '[]' and cost > 0 and code <> 'LOST'
                 and not exists (select 1 from attempt where attempt.call_id = call.call_id))
             as breaches`,
  },
  {
    id: 'I5',
    rule: 'usage is the sum of the attempts of its app, day and model, and has the number of its calls',
    // Added up instead of joined: SQLite would compare each row of one side with all of the other.
    // Attempts with rows count under their own models, and their call does not. A row of zeros
    // needs no reason: a late settlement moves a call to the model that answered it.
    sql: `
      select count(*) as breaches
        from (
          select app, day, model
            from (
              select app, day, model, 1 as rows, calls, errors, input_tokens,
                     cached_input_tokens, cache_write_input_tokens, output_tokens,
                     reasoning_tokens, cost, estimated, unpriced_calls
                from usage_day
               where day >= (select coalesce(max(day), '') from prune_horizon)
               union all
              select app, day, usage_model, 0, -count(*),
                     -sum(case when code = 'OK' then 0 else 1 end), -sum(input_tokens),
                     -sum(cached_input_tokens), -sum(cache_write_input_tokens),
                     -sum(output_tokens), -sum(reasoning_tokens), -sum(cost), -sum(estimated),
                     -sum(case when price_version is null or price_version like 'dearest-%'
                               then 1 else 0 end)
                from call
               where day >= (select coalesce(max(day), '') from prune_horizon)
               group by app, day, usage_model
               union all
              select call.app, call.day, attempt.usage_model, 0, 0, 0,
                     -sum(attempt.input_tokens), -sum(attempt.cached_input_tokens),
                     -sum(attempt.cache_write_input_tokens), -sum(attempt.output_tokens),
                     -sum(attempt.reasoning_tokens), -sum(attempt.cost),
                     -sum(case when attempt.basis = 'estimated' then attempt.cost else 0 end), 0
                from attempt
               cross join call
               where call.call_id = attempt.call_id
                 and call.day >= (select coalesce(max(day), '') from prune_horizon)
               group by call.app, call.day, attempt.usage_model
               union all
              select app, day, usage_model, 0, 0, 0, sum(input_tokens),
                     sum(cached_input_tokens), sum(cache_write_input_tokens), sum(output_tokens),
                     sum(reasoning_tokens), sum(attempt_cost), sum(attempt_estimated), 0
                from (
                  select call.app, call.day, call.usage_model, call.input_tokens,
                         call.cached_input_tokens, call.cache_write_input_tokens,
                         call.output_tokens, call.reasoning_tokens,
                         sum(attempt.cost) as attempt_cost,
                         sum(case when attempt.basis = 'estimated' then attempt.cost
                                  else 0 end) as attempt_estimated
                    from attempt
                   cross join call
                   where call.call_id = attempt.call_id
                     and call.day >= (select coalesce(max(day), '') from prune_horizon)
                   group by call.call_id) given
               group by app, day, usage_model) parts
           group by app, day, model
          having sum(rows) <> 1 or sum(calls) <> 0 or sum(errors) <> 0
              or sum(input_tokens) <> 0 or sum(cached_input_tokens) <> 0
              or sum(cache_write_input_tokens) <> 0 or sum(output_tokens) <> 0
              or sum(reasoning_tokens) <> 0 or sum(cost) <> 0 or sum(estimated) <> 0
              or sum(unpriced_calls) <> 0) wrong`,
  },
];
