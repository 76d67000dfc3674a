import type { AppPage } from '@model-gateway/server/operations/documents';
import { dayAfter, dayOf } from '../../data/days.ts';
import { withQuery } from '../../data/with-query.ts';
import { BarChart } from '../../parts/chart-bars.tsx';
import { LineChart } from '../../parts/chart-line.tsx';

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
