import type {
  AppsPage,
  BudgetsPage,
  DearestCalls,
  ModelsPage,
  Spend,
} from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { type Read, useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { Grid } from '../../parts/card.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ReadFailure, Shown } from '../../parts/shown.tsx';
import { rangeText } from '../../text/days.ts';
import {
  type Asked,
  askedOf,
  earlierOf,
  isOfCalls,
  parametersOf,
  rangeOf,
  spendOf,
} from './asked.ts';
import { SpendChart } from './chart.tsx';
import { Filters } from './filters.tsx';
import { monthBudgets } from './month.ts';
import { MonthCard } from './month-card.tsx';
import { seriesOf } from './series.ts';
import { SlowUsers } from './slow-users.tsx';
import { SpendStats } from './stats.tsx';
import { SpendTable } from './table.tsx';

export function SpendPage() {
  const { query } = useLocation();
  const asked = askedOf(query, Date.now());
  const apps = useRead<AppsPage>('/apps');
  const models = useRead<ModelsPage>('/models');
  const spend = useRead<Spend>(withQuery('/spend', parametersFor(asked)));
  // Users have sums of whole months only, which a part of a month before is not.
  const before = { ...earlierOf(asked), ...(asked.by === 'user' && { by: 'day' as const }) };
  const earlier = useRead<Spend>(withQuery('/spend', parametersOf(before)));
  const budgets = useRead<BudgetsPage>('/budgets');
  return (
    <>
      <PageHead title="Spend" note={`${rangeText(asked.from, asked.to)} · days are UTC`}>
        <Buttons asked={asked} />
      </PageHead>
      <Filters asked={asked} apps={apps} models={models} />
      <Shown of={spend} after={[earlier, budgets]} rows={16}>
        {(shown) => (
          <>
            <ReadFailure of={apps} />
            <ReadFailure of={models} />
            <Answer {...{ asked, earlier, budgets }} spend={shown} apps={apps.data} />
          </>
        )}
      </Shown>
    </>
  );
}

/** Users of single days are summed by a job: the page has the days. */
function parametersFor(asked: Asked) {
  const parameters = parametersOf(asked);
  return isOfCalls(asked) ? { ...parameters, by: 'day', top: undefined } : parameters;
}

function Buttons({ asked }: { readonly asked: Asked }) {
  const { route } = useLocation();
  const { by, compare } = asked;
  const parameters = parametersOf(asked);
  return (
    <>
      {by !== 'user' && (
        <button
          type="button"
          aria-pressed={compare}
          title="Compare each row with the previous period"
          onClick={() => route(spendOf(asked, { compare: compare ? '' : 'true' }), true)}
        >
          Compare
        </button>
      )}
      <DownloadButton text="Export CSV" path={withQuery('/spend.csv', parameters)} />
      <DownloadButton
        text="Export FOCUS"
        path={withQuery('/spend.csv', { ...parameters, format: 'focus' })}
      />
    </>
  );
}

interface AnswerProps {
  readonly asked: Asked;
  readonly spend: Spend;
  readonly earlier: Read<Spend>;
  readonly budgets: Read<BudgetsPage>;
  readonly apps: AppsPage | undefined;
}

function Answer({ asked, spend, earlier, budgets, apps }: AnswerProps) {
  const dearest = useRead<DearestCalls>(
    withQuery('/calls', { ...rangeOf(asked), order: 'cost', limit: '1' }),
  );
  const monthly = budgets.data && monthBudgets(budgets.data.items, asked, Date.now());
  const series = seriesOf(spend);
  const compared = asked.compare && asked.by !== 'user' ? earlier.data : undefined;
  return (
    <>
      <SpendStats {...{ spend, dearest, asked }} earlier={earlier.data} budgets={monthly} />
      <ReadFailure of={earlier} />
      <ReadFailure of={dearest} />
      <ReadFailure of={budgets} />
      <Grid>
        <SpendChart {...{ spend, asked, series, apps }} />
        {isOfCalls(asked) ? (
          <SlowUsers asked={asked} series={series} />
        ) : (
          <SpendTable {...{ spend, asked, series }} before={compared} />
        )}
        <MonthCard budgets={monthly ?? []} asked={asked} basis={spend.forecast?.basis} />
      </Grid>
    </>
  );
}
