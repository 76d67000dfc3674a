import type { Invariant } from '../queries/attempt-invariants.ts';
import { isSumNotZero } from '../schema/wide-sums.ts';
import { adjustmentParts, amounts, callParts, sumColumns } from './parts.ts';

const rolledUntil = `coalesce((select rolled_until from rollup_state where id = 1), '')`;
const compared = [
  ...['calls', 'errors', 'input_tokens', 'cached_input_tokens', 'cache_write_input_tokens'],
  ...['output_tokens', 'reasoning_tokens', 'cost', 'estimated', 'unpriced_calls'],
];
const given = compared.join(', ');
const taken = compared.map((name) => `-${name}`).join(', ');
const differ = notZero(compared);

function notZero(names: readonly string[]): string {
  return names
    .map((name) => (amounts.includes(name) ? isSumNotZero(name) : `sum(${name}) <> 0`))
    .join(' or ');
}

/** Calls not yet in the rollups, and adjustments of calls in them. */
const behind = `${callParts(`call_id >= ${rolledUntil}`)}
       union all ${adjustmentParts(`call_id < ${rolledUntil}`)}`;

function breaches(group: string, usage: string, sums: string, rest: string): string {
  return `
      select count(*) as breaches
        from (
          select ${group}
            from (
              select ${usage}, ${given} from usage_day
               union all
              select ${sums}, ${taken} from ${rest}
               union all
              select ${usage}, ${taken} from (${behind}) behind) parts
           where exists (select 1 from rollup_state)
           group by ${group}
          having ${differ}) wrong`;
}

/** One pass writes both rollup tables: this compares columns that usage lacks. */
const onlyInSums = sumColumns.filter((name) => !compared.includes(name));
const unlike = `
      select count(*) as breaches
        from (
          select app, month
            from (
              select app, month, ${onlyInSums.join(', ')} from usage_user_month
               union all
              select app, substr(day, 1, 7), ${onlyInSums.map((name) => `-${name}`).join(', ')}
                from usage_split) parts
           group by app, month
          having ${notZero(onlyInSums)}) wrong`;

export const rollupInvariants: readonly Invariant[] = [
  {
    id: 'I15',
    rule: 'the report rollups, the adjustments and the later calls are together the usage of each app, day and model',
    sql: breaches('app, day, model', 'app, day, model', 'app, day, model', 'usage_split'),
  },
  {
    id: 'I15-user',
    rule: 'the rollups of users are the monthly usage of each app',
    sql: breaches(
      'app, month',
      'app, substr(day, 1, 7) as month',
      'app, month',
      'usage_user_month',
    ),
  },
  {
    id: 'I15-both',
    rule: 'corrected, unpriced and 1-hour cache-write amounts are equal in the monthly rollups of users and of keys of each app',
    sql: unlike,
  },
];
