import type { MostExpensiveCalls, Spend } from '@model-gateway/server/operations/documents';
import type { Read } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { Delta, Stat, Stats } from '../../parts/stat.tsx';
import { Count, Day, Usd } from '../../parts/values.tsx';
import { monthText, rangeText } from '../../text/days.ts';
import { picoOf, shareOf, textOf } from '../../text/money.ts';
import { type MonthBudget, verdictOf } from './month.ts';
import { callsOf, earlierOf, isOpen, rangeOf, type SpendQuery } from './spend-query.ts';

interface StatsProps {
  readonly spend: Spend;
  readonly earlier: Spend | undefined;
  readonly mostExpensive: Read<MostExpensiveCalls>;
  readonly spendQuery: SpendQuery;
  readonly budgets: readonly MonthBudget[] | undefined;
}

export function SpendStats(props: StatsProps) {
  const { spend, earlier, spendQuery } = props;
  const { total } = spend;
  const { from, to } = earlierOf(spendQuery);
  const vs = `vs. ${rangeText(from, to, false)}`;
  return (
    <Stats>
      <Stat
        label="Total"
        figure={<Usd of={total.costUsd} />}
        note={
          earlier === undefined ? (
            vs
          ) : (
            <span title={`${rangeText(from, to)}: $${earlier.total.costUsd}`}>
              <Delta now={picoOf(total.costUsd)} before={picoOf(earlier.total.costUsd)} text={vs} />
            </span>
          )
        }
        href={callsOf(spendQuery)}
      />
      <Forecast {...props} />
      <Stat
        label="Calls"
        figure={<Count of={total.calls} />}
        note={
          total.calls > 0 && (
            <>
              <Usd of={perCall(total.costUsd, total.calls)} /> per call
            </>
          )
        }
        href={callsOf(spendQuery)}
      />
      <Stat
        label="Estimated"
        figure={<Usd of={total.estimatedUsd} />}
        note={total.calls > 0 && `${shareOf(total.estimatedUsd, total.costUsd)} of the total`}
        href={withQuery('/console/calls', { ...rangeOf(spendQuery), estimated: 'true' })}
      />
      <MostExpensive {...props} />
    </Stats>
  );
}

/** Null without calls. */
export function perCall(costUsd: string, calls: number): string | null {
  return calls === 0 ? null : textOf(picoOf(costUsd) / BigInt(calls));
}

/** For a range that is over, the previous period. */
function Forecast({ spend, earlier, spendQuery, budgets }: StatsProps) {
  const isMonth = spendQuery.range === 'month';
  const before = earlierOf(spendQuery);
  if (!isOpen(spendQuery)) {
    return (
      <Stat
        label="Previous period"
        figure={<Usd of={earlier?.total.costUsd} />}
        note={rangeText(before.from, before.to, false)}
        href={callsOf(before)}
      />
    );
  }
  const { forecast } = spend;
  const note = isMonth && spendQuery.model === '' && budgets !== undefined && verdictOf(budgets);
  return (
    <Stat
      label={isMonth ? `Forecast for ${monthText(spendQuery.from)}` : 'Forecast for this range'}
      figure={<Usd of={forecast?.usd} />}
      note={
        forecast === undefined ? (
          'Available after the first full day'
        ) : (
          <span title={forecast.basis}>{note || 'Based on the last full days'}</span>
        )
      }
      href={budgets !== undefined && budgets.length > 0 ? '#month' : undefined}
    />
  );
}

function MostExpensive({ mostExpensive: { data }, spendQuery }: StatsProps) {
  const [call] = data?.items ?? [];
  const more = { ...rangeOf(spendQuery), order: 'cost' };
  if (call === undefined) {
    return <Stat label="Most expensive call" figure="–" note={data && 'No calls yet'} />;
  }
  return (
    <Stat
      label="Most expensive call"
      figure={<Usd of={call.costUsd} />}
      note={
        data?.unsearched === null ? (
          <Day of={call.startedAt.slice(0, 10)} />
        ) : (
          'Not all calls were searched'
        )
      }
      href={
        data?.unsearched === null ? `/console/calls/${call.id}` : withQuery('/console/calls', more)
      }
    />
  );
}
