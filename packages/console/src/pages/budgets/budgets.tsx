import type { BudgetsPage, Overview } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { type Read, useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { BudgetLegend } from '../../parts/budget-bar.tsx';
import { Card } from '../../parts/card.tsx';
import { SearchField } from '../../parts/fields.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pager, pageAfter } from '../../parts/pager.tsx';
import { Segments } from '../../parts/segments.tsx';
import { ReadFailure, Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { sorted, useSort } from '../../parts/use-sort.ts';
import { en } from '../../text/en.ts';
import { limitColumns } from './limit-columns.tsx';
import { type Limit, limitsOf, usedShareOf } from './limits.ts';

const note = 'All budgets that can reject calls, most used first';

/** Answers: which limit comes first? */
export function BudgetsView() {
  const uses = useRead<BudgetsPage>('/budgets', 'overview');
  const overview = useRead<Overview>('/overview', 'overview');
  const both: Read<Both> = {
    ...uses,
    data: uses.data && overview.data && { uses: uses.data, overview: overview.data },
    failure: uses.failure ?? (overview.data === undefined ? overview.failure : undefined),
    again() {
      if (uses.failure !== undefined || uses.data === undefined) uses.again();
      if (overview.failure !== undefined || overview.data === undefined) overview.again();
    },
  };
  const again = () => {
    uses.again();
    overview.again();
  };
  return (
    <>
      <PageHead title={en.pages.budgets} note={note} />
      <Filters />
      <Shown of={both}>
        {(shown) => (
          <>
            {overview.data !== undefined && both.failure === undefined && (
              <ReadFailure of={overview} />
            )}
            <Limits {...shown} again={again} />
          </>
        )}
      </Shown>
    </>
  );
}

interface Both {
  readonly uses: BudgetsPage;
  readonly overview: Overview;
}

const spans = [
  ['', 'All'],
  ['day', 'Daily'],
  ['month', 'Monthly'],
  ['shadow', 'Shadow'],
] as const;

function Filters() {
  const { query, path, route } = useLocation();
  const set = (changed: Readonly<Record<string, string>>) =>
    route(withQuery(path, { ...query, ...changed, after: '' }), true);
  return (
    <search class="filters">
      <SearchField label="Find a budget" value={query.q ?? ''} set={(q) => set({ q })} />
      <Segments
        label="Budgets shown"
        value={query.show ?? ''}
        options={spans}
        set={(show) => set({ show })}
      />
    </search>
  );
}

function Limits({ uses, overview, again }: Both & { readonly again: () => void }) {
  const { query } = useLocation();
  const sort = useSort('-used');
  const columns = limitColumns(overview, again);
  const all = limitsOf(overview.apps, uses.items);
  const byUse = all.toSorted((a, b) => usedShareOf(b) - usedShareOf(a));
  const matches = sorted(byUse.filter(matchesFilter(query.show, query.q)), columns, sort);
  const page = pageAfter(matches, ({ id }) => id, query.after);
  return (
    <Card
      title={`${all.length.toLocaleString('en')} ${all.length === 1 ? 'budget' : 'budgets'}`}
      aside={<BudgetLegend />}
      footer={
        page.count > page.rows.length ? <Pager label="Pages of budgets" of={page} /> : undefined
      }
      isFlush
    >
      <Table
        caption="Budgets"
        {...{ columns, sort, rows: page.rows, keyOf: ({ id }: Limit) => id }}
        empty={<None isFiltered={all.length > 0} />}
      />
    </Card>
  );
}

function matchesFilter(show = '', q = '') {
  const text = q.toLowerCase();
  return ({ name, of, span, use }: Limit) => {
    if (text !== '' && !`${name} ${of}`.toLowerCase().includes(text)) return false;
    return show === '' || (show === 'shadow' ? use?.mode === 'shadow' : span === show);
  };
}

function None({ isFiltered }: { readonly isFiltered: boolean }) {
  const { path } = useLocation();
  if (isFiltered) {
    return (
      <Empty icon="pie" title="No matching budgets">
        <a class="button" href={path}>
          Clear filters
        </a>
      </Empty>
    );
  }
  return (
    <Empty icon="pie" title="No budgets yet">
      <p>
        Set a daily budget for an app on the Apps page. Declare budgets of groups, users and keys in
        the configuration under budgets.
      </p>
      <a class="button" href="/console/apps">
        Go to Apps
      </a>
    </Empty>
  );
}
