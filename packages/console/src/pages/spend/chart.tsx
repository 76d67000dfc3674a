import type { AppsPage, Spend } from '@model-gateway/server/operations/documents';
import { Card } from '../../parts/card.tsx';
import { BarChart } from '../../parts/chart-bars.tsx';
import { others } from '../../parts/series.ts';
import { Name, Usd } from '../../parts/values.tsx';
import { dayText } from '../../text/days.ts';
import { picoOf, sumUsd } from '../../text/money.ts';
import type { Series } from './series.ts';
import { callsOf, type SpendQuery } from './spend-query.ts';

interface ChartProps {
  readonly spend: Spend;
  readonly spendQuery: SpendQuery;
  readonly series: Series;
  readonly apps: AppsPage | undefined;
}

export function SpendChart({ spend, spendQuery, series, apps }: ChartProps) {
  const { days } = spend;
  if (days.length < 2 || picoOf(spend.total.costUsd) === 0n) return null;
  const bars = days.map((day) => ({
    label: dayText(day.day),
    total: day.costUsd,
    amounts: series.amountsOf(day),
    isOpen: day.day === spendQuery.today,
    href: callsOf(spendQuery, ['day'], [day.day]),
  }));
  return (
    <Card title="Spend by day" aside={series.isSplit && <Legend series={series} />}>
      <BarChart
        label={series.isSplit ? `Spend by day and ${spendQuery.by}` : 'Spend by day'}
        head="Day (UTC)"
        names={series.names}
        bars={bars}
        height={260}
        cap={capOf(days, spendQuery, apps)}
        capText={spendQuery.app === '' ? 'Sum of daily budgets' : 'Daily budget'}
        readout={<Readout days={days} today={spendQuery.today} />}
      />
    </Card>
  );
}

function Legend({ series: { names, colorOf } }: Pick<ChartProps, 'series'>) {
  return (
    <ul class="legend">
      {names.map((name) => (
        <li key={name}>
          <span class={`swatch ${name === others ? 's7' : colorOf(name)}`} />
          <Name of={name} />
        </li>
      ))}
    </ul>
  );
}

function Readout({ days, today }: { readonly days: Spend['days']; readonly today: string }) {
  const open = days.find(({ day }) => day === today);
  const [highest] = days.toSorted((a, b) => Number(picoOf(b.costUsd) - picoOf(a.costUsd)));
  return (
    <>
      {open !== undefined && (
        <span>
          {dayText(open.day)}{' '}
          <b>
            <Usd of={open.costUsd} />
          </b>{' '}
          so far
        </span>
      )}
      {highest !== undefined && (
        <span>
          Highest day: {dayText(highest.day)}{' '}
          <b>
            <Usd of={highest.costUsd} />
          </b>
        </span>
      )}
    </>
  );
}

/** Undefined where an app has no daily budget: the others' budgets do not limit its spend. */
function capOf(
  days: Spend['days'],
  spendQuery: SpendQuery,
  apps: AppsPage | undefined,
): string | undefined {
  if (apps === undefined || apps.after !== null || spendQuery.model !== '') return undefined;
  const counted = apps.items.filter(({ name, enabled }) =>
    spendQuery.app === '' ? enabled : name === spendQuery.app,
  );
  const caps = counted.flatMap(({ dailyBudgetUsd }) => dailyBudgetUsd ?? []);
  if (caps.length === 0 || caps.length < counted.length) return undefined;
  const cap = sumUsd(caps);
  // A line far above the bars would flatten them.
  return days.some(({ costUsd }) => picoOf(costUsd) * 5n > picoOf(cap)) ? cap : undefined;
}
