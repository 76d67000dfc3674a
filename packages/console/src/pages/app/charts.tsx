import type { AppPage } from '@model-gateway/server/operations/documents';
import { dayAfter, dayOf } from '../../data/days.ts';
import { withQuery } from '../../data/with-query.ts';
import { BarChart } from '../../parts/chart-bars.tsx';
import { ChartFrame, type Column } from '../../parts/chart-frame.tsx';
import { bottom, height } from '../../parts/chart-plot.ts';

export function AppCharts({ page }: { readonly page: AppPage }) {
  const { settings, days } = page;
  const cap = settings.dailyBudgetUsd;
  const today = dayOf(Date.now());
  const cost = 'Cost';
  const bars = days.map(({ day, costUsd }) => ({
    label: day,
    total: costUsd,
    amounts: { [cost]: costUsd },
    isOpen: day === today,
    href: callsOfDay(settings.name, day),
  }));
  const points = days.map(({ day, calls }) => ({
    label: day,
    value: calls,
    href: callsOfDay(settings.name, day),
  }));
  return (
    <section>
      <h2>The last 30 days</h2>
      <BarChart caption="Cost a day, USD" names={[cost]} bars={bars} cap={cap ?? undefined} />
      <LineChart caption="Calls a day" name="Calls" points={points} />
      <p>
        <a href={withQuery('/console/spend', { app: settings.name, by: 'model' })}>
          This month by model
        </a>
      </p>
    </section>
  );
}

function callsOfDay(app: string, day: string): string {
  const range = { since: `${day}T00:00:00Z`, until: `${dayAfter(day)}T00:00:00Z` };
  return withQuery('/console/calls', { app, ...range });
}

interface LineProps {
  readonly caption: string;
  readonly name: string;
  readonly points: readonly (Pick<Column, 'label' | 'href'> & { readonly value: number })[];
}

function LineChart({ caption, name, points }: LineProps) {
  const columns = points.map(({ label, value, href }) => {
    const text = value.toLocaleString('en');
    return { label, text, cells: [text], href };
  });
  return (
    <ChartFrame
      caption={caption}
      columns={columns}
      heads={[name]}
      greatest={Math.max(0, ...points.map(({ value }) => value))}
      tick={(value) => value.toLocaleString('en', { notation: 'compact' })}
      draw={({ y, step }, chosen) => {
        if (points.length === 0) return null;
        const line = points.map(({ value }, column) => `${column + 0.5} ${y(value)}`).join('L');
        const at = points[chosen ?? -1];
        const x = `${((chosen ?? 0) + 0.5) * step}%`;
        return (
          <g class="chart-line">
            <svg
              viewBox={`0 0 ${points.length} ${height}`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <path class="chart-area" d={`M0.5 ${bottom}L${line}V${bottom}Z`} />
              <path d={`M${line}`} />
            </svg>
            {at !== undefined && <circle cx={x} cy={y(at.value)} r="3" />}
          </g>
        );
      }}
    />
  );
}
