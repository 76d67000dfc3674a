import type { Overview } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { BarChart } from '../../parts/chart-bars.tsx';
import { LineChart, type Point } from '../../parts/chart-line.tsx';
import { Usd } from '../../parts/values.tsx';
import { picoOf, textOf } from '../../text/money.ts';
import type { AllBudgets } from './figures.tsx';
import { callsToday } from './links.ts';

const hourMs = 3_600_000;
const labels = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

interface SpendingProps {
  readonly of: Overview;
  readonly budgets: AllBudgets | undefined;
}

/** The day's spend, its forecast, and the spend by hour. */
export function Spending({ of, budgets }: SpendingProps) {
  const { day, hours, forecast, totals } = of;
  const byMidnight = forecast.at(-1)?.spentUsd;
  return (
    <Card title="Spend today" span={7} aside={<Legend />}>
      <LineChart
        label="Running total of today's spend against the sum of daily budgets"
        head="Hour (UTC)"
        labels={labels}
        points={pointsOf(of)}
        forecast={forecast.map(({ hour, spentUsd }) => ({ at: hour, usd: spentUsd }))}
        cap={budgets && { usd: budgets.capUsd, text: 'Sum of budgets' }}
        readout={
          <>
            {byMidnight !== undefined && (
              <span>
                Forecast{' '}
                <b>
                  <Usd of={byMidnight} />
                </b>{' '}
                by midnight UTC
              </span>
            )}
            <a href={callsToday(day, { estimated: 'true' })}>
              Estimated so far{' '}
              <b>
                <Usd of={totals.estimatedUsd} />
              </b>
            </a>
          </>
        }
      />
      <h3 class="gap">By hour</h3>
      <BarChart
        label="Spend by hour, UTC"
        head="Hour (UTC)"
        names={['Spent']}
        height={84}
        bars={labels.map((label, at) => {
          const usd = hours[at]?.spentUsd ?? '0';
          return {
            ...{ label, amounts: { Spent: usd }, total: usd },
            isOpen: at === hours.length - 1,
            href: at < hours.length ? callsOfHour(day, at) : undefined,
          };
        })}
      />
    </Card>
  );
}

function Legend() {
  return (
    <ul class="legend">
      <li>
        <span class="swatch s1" />
        Running total
      </li>
      <li>
        <span class="swatch line-mark" />
        Forecast
      </li>
    </ul>
  );
}

/** The open hour ends now. */
function pointsOf({ at, day, hours }: Overview): readonly Point[] {
  const now = (Date.parse(at) - Date.parse(day)) / hourMs;
  let sum = 0n;
  const points = hours.map(({ hour, spentUsd }) => {
    sum += picoOf(spentUsd);
    return { at: Math.min(hour + 1, Math.max(now, hour + 0.02)), usd: textOf(sum) };
  });
  return [{ at: 0, usd: '0' }, ...points];
}

function callsOfHour(day: string, hour: number): string {
  const start = Date.parse(day) + hour * hourMs;
  const since = new Date(start).toISOString();
  const until = new Date(start + hourMs).toISOString();
  return withQuery('/console/calls', { since, until });
}
