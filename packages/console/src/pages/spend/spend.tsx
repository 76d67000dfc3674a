import type {
  AppsPage,
  BudgetsPage,
  ModelsPage,
  MostExpensiveCalls,
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
import { SpendChart } from './chart.tsx';
import { Filters } from './filters.tsx';
import { monthBudgets } from './month.ts';
import { MonthCard } from './month-card.tsx';
import { seriesOf } from './series.ts';
import { SlowUsers } from './slow-users.tsx';
import {
  earlierOf,
  isOfCalls,
  parametersOf,
  rangeOf,
  type SpendQuery,
  spendOf,
  spendQueryOf,
} from './spend-query.ts';
import { SpendStats } from './stats.tsx';
import { SpendTable } from './table.tsx';

export function SpendPage() {
  const { query } = useLocation();
  const spendQuery = spendQueryOf(query, Date.now());
  const apps = useRead<AppsPage>('/apps');
  const models = useRead<ModelsPage>('/models');
  const spend = useRead<Spend>(withQuery('/spend', parametersFor(spendQuery)));
  // Users only have rollups of whole months, so a partial previous month has none.
  const before = {
    ...earlierOf(spendQuery),
    ...(spendQuery.by === 'user' && { by: 'day' as const }),
  };
  const earlier = useRead<Spend>(withQuery('/spend', parametersOf(before)));
  const budgets = useRead<BudgetsPage>('/budgets');
  return (
    <>
      <PageHead title="Spend" note={`${rangeText(spendQuery.from, spendQuery.to)} · days are UTC`}>
        <Buttons spendQuery={spendQuery} />
      </PageHead>
      <Filters spendQuery={spendQuery} apps={apps} models={models} />
      <Shown of={spend} after={[earlier, budgets]} rows={16}>
        {(shown) => (
          <>
            <ReadFailure of={apps} />
            <ReadFailure of={models} />
            <Answer {...{ spendQuery, earlier, budgets }} spend={shown} apps={apps.data} />
          </>
        )}
      </Shown>
    </>
  );
}

/** Users of single days are summed by a job: the page itself shows days. */
function parametersFor(spendQuery: SpendQuery) {
  const parameters = parametersOf(spendQuery);
  return isOfCalls(spendQuery) ? { ...parameters, by: 'day', top: undefined } : parameters;
}

function Buttons({ spendQuery }: { readonly spendQuery: SpendQuery }) {
  const { route } = useLocation();
  const { by, compare } = spendQuery;
  const parameters = parametersOf(spendQuery);
  return (
    <>
      {by !== 'user' && (
        <button
          type="button"
          aria-pressed={compare}
          title="Compare each row with the previous period"
          onClick={() => route(spendOf(spendQuery, { compare: compare ? '' : 'true' }), true)}
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
  readonly spendQuery: SpendQuery;
  readonly spend: Spend;
  readonly earlier: Read<Spend>;
  readonly budgets: Read<BudgetsPage>;
  readonly apps: AppsPage | undefined;
}

function Answer({ spendQuery, spend, earlier, budgets, apps }: AnswerProps) {
  const mostExpensive = useRead<MostExpensiveCalls>(
    withQuery('/calls', { ...rangeOf(spendQuery), order: 'cost', limit: '1' }),
  );
  const monthly = budgets.data && monthBudgets(budgets.data.items, spendQuery, Date.now());
  const series = seriesOf(spend);
  const compared = spendQuery.compare && spendQuery.by !== 'user' ? earlier.data : undefined;
  return (
    <>
      <SpendStats
        {...{ spend, mostExpensive, spendQuery }}
        earlier={earlier.data}
        budgets={monthly}
      />
      <ReadFailure of={earlier} />
      <ReadFailure of={mostExpensive} />
      <ReadFailure of={budgets} />
      <Grid>
        <SpendChart {...{ spend, spendQuery, series, apps }} />
        {isOfCalls(spendQuery) ? (
          <SlowUsers spendQuery={spendQuery} series={series} />
        ) : (
          <SpendTable {...{ spend, spendQuery, series }} before={compared} />
        )}
        <MonthCard budgets={monthly ?? []} spendQuery={spendQuery} basis={spend.forecast?.basis} />
      </Grid>
    </>
  );
}
