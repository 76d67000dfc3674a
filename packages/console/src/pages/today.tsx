import type { Overview, OverviewApp, Refusal } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { useRead } from '../data/read.ts';
import { useMay } from '../data/who.ts';
import { withQuery } from '../data/with-query.ts';
import { DataTable, type Head } from '../parts/data-table.tsx';
import { Long } from '../parts/long.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Shown } from '../parts/shown.tsx';
import { Count, Usd, When } from '../parts/values.tsx';
import { en } from '../text/en.ts';
import { BudgetDialog } from './app/budget-dialog.tsx';

// With the receipt in it, it is for those alone who have made no call yet.
const FirstCall = lazy(() => import('./first-call.tsx').then((page) => page.FirstCall));

export function Today() {
  const overview = useRead<Overview>('/overview', 'overview');
  const { data } = overview;
  // Who has seen that there is none, sees the first one come.
  const [isFirst, setFirst] = useState(false);
  if (data?.hasCalls === false && !isFirst) setFirst(true);
  const note = data === undefined ? undefined : <DayNote {...data} />;
  return (
    <>
      <PageHead title={en.pages.today} note={note} />
      <Shown of={overview}>
        {(shown) => (
          <>
            {isFirst && <FirstCall shown={shown} />}
            {shown.hasCalls && <Day shown={shown} again={overview.again} />}
          </>
        )}
      </Shown>
    </>
  );
}

function DayNote({ day, at, resetsAt }: Overview) {
  const minutes = Math.max(0, Math.floor((Date.parse(resetsAt) - Date.parse(at)) / 60_000));
  return (
    <>
      {day} UTC · begins anew in {Math.floor(minutes / 60)} h {minutes % 60} min
    </>
  );
}

function Day({ shown, again }: { readonly shown: Overview; readonly again: () => void }) {
  const mayOperate = useMay('operate');
  const { totals, problems, well, apps, refusals, day } = shown;
  return (
    <>
      <dl class="totals">
        <Total label="Spent" href={withQuery('/console/spend', { range: 'day' })}>
          <Usd of={totals.spentUsd} />
        </Total>
        <Total label="Held for running calls">
          <Usd of={totals.heldUsd} />
        </Total>
        <Total label="Calls" href={withQuery('/console/calls', { since: `${day}T00:00:00Z` })}>
          <Count of={totals.calls} />
        </Total>
        <Total label="Refused">
          <Count of={totals.refused} />
        </Total>
        <Total label="Estimated" href={withQuery('/console/calls', { estimated: 'true' })}>
          <Usd of={totals.estimatedUsd} />
        </Total>
      </dl>
      <p>
        <a href={withQuery('/console/spend', { month: day.slice(0, 7), by: 'project' })}>
          {months.format(new Date(day))} by project
        </a>
      </p>
      <section aria-label="What needs a look">
        {problems.length === 0 ? (
          <p class="well">
            <strong>OK</strong> {well}
          </p>
        ) : (
          <ul class="problems">
            {problems.map(({ text, href }) => (
              <li key={text}>
                <strong>Problem</strong> <a href={href}>{text}</a>
              </li>
            ))}
          </ul>
        )}
      </section>
      <DataTable
        caption="Apps today"
        heads={mayOperate ? [...appHeads, raiseHead(again)] : appHeads}
        rows={apps}
        keyOf={({ app }) => app}
        empty="No app yet. Name one in the configuration, or make one on Apps."
      />
      <Refusals refusals={refusals} />
    </>
  );
}

const months = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

interface TotalProps {
  readonly label: string;
  readonly href?: string;
  readonly children: preact.ComponentChildren;
}

function Total({ label, href, children }: TotalProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{href === undefined ? children : <a href={href}>{children}</a>}</dd>
    </div>
  );
}

const appHeads: readonly Head<OverviewApp>[] = [
  {
    head: 'App',
    cell: ({ app, enabled }) => (
      <Long>
        <a href={`/console/apps/${encodeURIComponent(app)}`}>{app}</a>
        {!enabled && <span class="note"> disabled</span>}
      </Long>
    ),
  },
  { head: 'Budget used', cell: (row) => <Used {...row} /> },
  { head: 'Spent', isNumber: true, cell: ({ spentUsd }) => <Usd of={spentUsd} /> },
  { head: 'Held', isNumber: true, cell: ({ heldUsd }) => <Usd of={heldUsd} /> },
  { head: 'Left', isNumber: true, cell: ({ leftUsd }) => <Usd of={leftUsd} /> },
  { head: 'Calls', isNumber: true, cell: ({ calls }) => <Count of={calls} /> },
  { head: 'At this pace', cell: (row) => <Pace {...row} /> },
];

function raiseHead(again: () => void): Head<OverviewApp> {
  return {
    head: 'Change',
    cell: ({ app }) => <BudgetDialog app={app} label="Raise" onChanged={again} />,
  };
}

function Used({ app, usedPercent, capUsd }: OverviewApp) {
  if (usedPercent === null) return <span class="note">no budget</span>;
  return (
    <span class="used">
      <meter
        min={0}
        max={100}
        high={80}
        optimum={0}
        value={Math.min(100, usedPercent)}
        aria-label={`Budget of ${app}`}
      />{' '}
      {usedPercent} % of <Usd of={capUsd} />
    </span>
  );
}

function Pace({ atThisPace: { usedUpAt, byMidnightUsd, basis }, capUsd }: OverviewApp) {
  if (usedUpAt !== null) {
    return (
      <span class="warning" title={basis}>
        used up at <When at={usedUpAt} />
      </span>
    );
  }
  return (
    <span title={basis}>
      {capUsd === null ? '' : 'lasts the day: '}
      <Usd of={byMidnightUsd} /> by midnight
    </span>
  );
}

function Refusals({ refusals }: { readonly refusals: readonly Refusal[] }) {
  if (refusals.length === 0) return null;
  return (
    <section aria-labelledby="refusals">
      <h2 id="refusals">Refused in this hour and the one before</h2>
      <DataTable
        caption="Refusals"
        heads={refusalHeads}
        rows={refusals}
        keyOf={({ at, app, code }) => `${at} ${app} ${code}`}
        empty=""
      />
    </section>
  );
}

const refusalHeads: readonly Head<Refusal>[] = [
  {
    head: 'App',
    // A rejected key may belong to none.
    cell: ({ app }) =>
      app === '-' ? (
        '–'
      ) : (
        <Long>
          <a href={`/console/apps/${encodeURIComponent(app)}`}>{app}</a>
        </Long>
      ),
  },
  { head: 'Code', cell: ({ code }) => <code>{code}</code> },
  { head: 'Requests', isNumber: true, cell: ({ count }) => <Count of={count} /> },
  { head: 'Last', cell: ({ lastAt }) => <When at={lastAt} /> },
  { head: 'What its caller was told', cell: ({ lastMessage }) => lastMessage },
];
