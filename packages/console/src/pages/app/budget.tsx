import type { AppPage } from '@model-gateway/server/operations/documents';
import type { ComponentChildren } from 'preact';
import { dayAfter, dayOf } from '../../data/days.ts';
import { withQuery } from '../../data/with-query.ts';
import { BudgetBar, BudgetLegend } from '../../parts/budget-bar.tsx';
import { Card } from '../../parts/card.tsx';
import { BarChart } from '../../parts/chart-bars.tsx';
import { Empty } from '../../parts/states.tsx';
import { Count, Usd } from '../../parts/values.tsx';
import { capital } from '../../text/capital.ts';
import { dayText } from '../../text/days.ts';
import { picoOf } from '../../text/money.ts';
import { stateOf } from './budget-state.ts';
import { shownUse } from './use.ts';

interface BudgetProps {
  readonly page: AppPage;
  /** Undefined while it is read. */
  readonly running: number | undefined;
  readonly change: ComponentChildren;
}

export function AppBudget({ page, running, change }: BudgetProps) {
  const { usage, settings } = page;
  return (
    <Card
      title="Budget today"
      span={8}
      aside={usage.budget !== null && <BudgetLegend />}
      footer={<ForecastText page={page} />}
    >
      {usage.budget === null ? (
        <Empty icon="pie" title="No daily budget">
          <p>Calls are counted but never rejected for cost. Set a daily budget to limit spend.</p>
          {change}
        </Empty>
      ) : (
        <>
          <Quad budget={usage.budget} running={running} />
          <BudgetBar
            label={settings.name}
            {...usage.budget}
            isTight={stateOf(page) === 'tight'}
            isTall
          />
        </>
      )}
      <Days page={page} />
    </Card>
  );
}

interface QuadProps {
  readonly budget: NonNullable<AppPage['usage']['budget']>;
  readonly running: number | undefined;
}

/** Spent, reserved and left add up to the budget, as shown. */
function Quad({ budget, running }: QuadProps) {
  const { spentUsd, heldUsd, remainingUsd, capUsd } = budget;
  const shown = shownUse(budget);
  const calls =
    running === undefined
      ? ''
      : ` for ${running.toLocaleString('en')} ${running === 1 ? 'call' : 'calls'}`;
  return (
    <div class="quad">
      <Figure label="Spent" usd={spentUsd} shown={shown.spent} />
      <Figure label={`Reserved${calls}`} usd={heldUsd} shown={shown.held} className="held" />
      <Figure label="Remaining" usd={remainingUsd} shown={shown.left} />
      <Figure label="Daily budget" usd={capUsd} />
    </div>
  );
}

interface FigureProps {
  readonly label: string;
  readonly usd: string;
  readonly shown?: string | undefined;
  readonly className?: string;
}

function Figure({ label, usd, shown, className = '' }: FigureProps) {
  return (
    <div>
      <span class="note">{label}</span>
      <p class={`figure ${className}`}>
        <Usd of={usd} shown={shown} />
      </p>
    </div>
  );
}

function ForecastText({ page }: { readonly page: AppPage }) {
  const { endOfDayUsd, basis } = page.forecast;
  const state = stateOf(page);
  const spent = page.usage.totals.costUsd;
  if (picoOf(spent) === 0n && picoOf(endOfDayUsd) === 0n) return <span>No calls today</span>;
  const endOfDay = (
    <>
      <Usd of={endOfDayUsd} /> by midnight UTC
    </>
  );
  return (
    <>
      <span>
        {state === 'holds' && <>Within budget: about {endOfDay}</>}
        {state === 'tight' && <>Forecast without the budget: about {endOfDay}</>}
        {state === 'none' && <>Forecast: about {endOfDay}</>}
        {(state === 'used' || state === 'disabled') && (
          <>
            Spent today <Usd of={spent} />
          </>
        )}
      </span>
      <span>{capital(basis)}</span>
    </>
  );
}

function Days({ page: { settings, days } }: { readonly page: AppPage }) {
  const today = dayOf(Date.now());
  const cost = 'Cost';
  const bars = days.map(({ day, costUsd }) => ({
    ...{ label: dayText(day), total: costUsd, amounts: { [cost]: costUsd } },
    ...{ isOpen: day === today, href: callsOfDay(settings.name, day) },
  }));
  if (days.every(({ calls }) => calls === 0)) return null;
  const calls = days.reduce((sum, day) => sum + day.calls, 0);
  return (
    <section class="gap">
      <h3>Last {days.length} days</h3>
      <BarChart
        label="Spend by day"
        head="Day (UTC)"
        names={[cost]}
        bars={bars}
        height={250}
        cap={settings.dailyBudgetUsd ?? undefined}
        readout={
          <span>
            <Count of={calls} /> calls
          </span>
        }
      />
    </section>
  );
}

function callsOfDay(app: string, day: string): string {
  const range = { since: `${day}T00:00:00Z`, until: `${dayAfter(day)}T00:00:00Z` };
  return withQuery('/console/calls', { app, ...range });
}
