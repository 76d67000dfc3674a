import type { Overview } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import { BudgetBar } from '../../parts/budget-bar.tsx';
import { AreaSpark, BarSpark, Delta, Stat, Stats } from '../../parts/stat.tsx';
import { Count, Usd } from '../../parts/values.tsx';
import { type Budgeted, type ShownBudget, usedPercent } from '../../text/budget-sums.ts';
import { picoOf } from '../../text/money.ts';
import { percentText } from '../../text/percent.ts';
import { callsToday } from './links.ts';

interface DayStatsProps {
  readonly of: Overview;
  /** For all apps with a budget together; undefined where none has one. */
  readonly budgets: AllBudgets | undefined;
}

export interface AllBudgets extends Budgeted {
  readonly count: number;
  readonly capUsd: string;
  readonly leftUsd: string;
  readonly shown: ShownBudget;
}

/** The spent and remaining amount, running calls, and failed or rejected ones. */
export function DayStats({ of, budgets }: DayStatsProps) {
  const { day, totals, hours, yesterday, running, refusedToday } = of;
  const refused = refusedToday.reduce((sum, { count }) => sum + count, 0);
  const overBudget = refusedToday
    .filter(({ code }) => code === 'BUDGET_EXCEEDED')
    .reduce((sum, { count }) => sum + count, 0);
  return (
    <Stats>
      <Stat
        label="Spent"
        href={withQuery('/console/spend', { range: 'day' })}
        figure={<Usd of={totals.spentUsd} />}
        note={
          yesterday === null ? (
            'since 00:00 UTC'
          ) : (
            <span title={`Both days until ${yesterday.until.slice(11, 16)} UTC`}>
              <Delta
                now={picoOf(yesterday.todayUsd)}
                before={picoOf(yesterday.yesterdayUsd)}
                text="vs. yesterday"
              />
            </span>
          )
        }
      >
        <AreaSpark label="Spend by hour" values={hours.map(({ spentUsd }) => Number(spentUsd))} />
      </Stat>
      <Remaining budgets={budgets} />
      <Stat
        label="Reserved for running calls"
        href="/console/calls"
        figure={<Usd of={totals.heldUsd} />}
        note={`${running.toLocaleString('en')} running ${running === 1 ? 'call' : 'calls'}`}
      />
      <Stat
        label="Calls"
        href={callsToday(day, {})}
        figure={<Count of={totals.calls} />}
        note={
          totals.calls === 0
            ? 'since 00:00 UTC'
            : `${percentText(totals.errors, totals.calls)} failed`
        }
      >
        <AreaSpark label="Calls by hour" values={hours.map(({ calls }) => calls)} />
      </Stat>
      <Stat
        label="Rejected"
        href="#refused"
        figure={<Count of={totals.refused} />}
        note={refused === 0 ? 'since 00:00 UTC' : `${percentText(overBudget, refused)} over budget`}
      >
        <BarSpark label="Rejected requests by hour" values={hours.map((hour) => hour.refused)} />
      </Stat>
    </Stats>
  );
}

function Remaining({ budgets }: Pick<DayStatsProps, 'budgets'>) {
  if (budgets === undefined) {
    return (
      <Stat
        label="Remaining budget"
        href="/console/budgets"
        figure="–"
        note="No app has a daily budget"
      />
    );
  }
  const { count, capUsd, spentUsd, heldUsd, leftUsd } = budgets;
  return (
    <Stat
      label={count === 1 ? 'Left in 1 budget' : `Left in ${count.toLocaleString('en')} budgets`}
      href="/console/budgets"
      figure={<Usd of={leftUsd} />}
      note={
        <>
          {usedPercent(budgets)}% of <Usd of={capUsd} /> used
        </>
      }
    >
      <span class="spark">
        <BudgetBar label="All budgets" {...{ capUsd, spentUsd, heldUsd }} isTall />
      </span>
    </Stat>
  );
}
