import type { Overview } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { Grid } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LiveBadge } from '../../parts/live-badge.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Shown } from '../../parts/shown.tsx';
import { en } from '../../text/en.ts';
import { once } from '../../text/once.ts';
import { type AppGroups, groupsOf } from './app-groups.ts';
import { AppsCard } from './apps-card.tsx';
import { attentionOf } from './attention.ts';
import { AttentionCard } from './attention-card.tsx';
import { type AllBudgets, DayStats } from './figures.tsx';
import { ModelsCard } from './models-card.tsx';
import { RefusedCard } from './refused-card.tsx';
import { Spending } from './spending.tsx';

// It contains the receipt, and only readers without a call need it.
const FirstCall = lazy(() => import('../../later/money.ts').then((pages) => pages.FirstCall));

export function Today() {
  const overview = useRead<Overview>('/overview', 'overview');
  const { data } = overview;
  // A reader who has seen the empty page sees the first call arrive.
  const [isFirst, setFirst] = useState(false);
  if (data?.hasCalls === false && !isFirst) setFirst(true);
  const note = data === undefined ? null : noteOf(data);
  return (
    <>
      <PageHead title={en.pages.today} note={note}>
        <LiveBadge />
        <a class="button" href={withQuery('/console/spend', { range: 'month' })}>
          <Icon of="calendar" />
          This month
        </a>
      </PageHead>
      <Shown of={overview} rows={16}>
        {(shown) => (
          <>
            {isFirst && <FirstCall shown={shown} />}
            {shown.hasCalls && <DayOf shown={shown} again={overview.again} />}
          </>
        )}
      </Shown>
    </>
  );
}

function noteOf({ day, at, resetsAt }: Overview): string {
  const minutes = Math.max(0, Math.floor((Date.parse(resetsAt) - Date.parse(at)) / 60_000));
  const left = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${dates().format(new Date(day))} · ${at.slice(11, 16)} UTC · budgets reset in ${left}`;
}

const dates = once(() => new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }));

/** The page Apps has the others. */
const rowsMax = 50;

function DayOf({ shown, again }: { readonly shown: Overview; readonly again: () => void }) {
  const { healthy, apps, refusedToday, day } = shown;
  const groups = groupsOf(apps, rowsMax);
  const budgets = allBudgets(groups);
  return (
    <>
      <DayStats of={shown} budgets={budgets} />
      <Grid>
        <Spending of={shown} budgets={budgets} />
        <AttentionCard of={attentionOf(shown)} healthy={healthy} onChanged={again} />
      </Grid>
      <Grid>
        <AppsCard groups={groups} day={day} again={again} />
      </Grid>
      <Grid>
        <RefusedCard of={refusedToday} />
        <ModelsCard of={shown} />
      </Grid>
    </>
  );
}

function allBudgets({ budgeted: { total, count } }: AppGroups): AllBudgets | undefined {
  const { capUsd, leftUsd } = total;
  return capUsd === null || leftUsd === null ? undefined : { ...total, capUsd, leftUsd, count };
}
