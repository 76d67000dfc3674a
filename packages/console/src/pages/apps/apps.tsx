import type { AppsPage, Overview } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { useRead } from '../../data/read.ts';
import { useMay } from '../../data/session.ts';
import { withQuery } from '../../data/with-query.ts';
import { BudgetLegend } from '../../parts/budget-bar.tsx';
import { Card } from '../../parts/card.tsx';
import { ColumnChooser, useColumns } from '../../parts/column-chooser.tsx';
import { SearchField } from '../../parts/fields.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pager, pageAfter } from '../../parts/pager.tsx';
import { Segments } from '../../parts/segments.tsx';
import { ReadFailure, Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { sorted, useSort } from '../../parts/use-sort.ts';
import { Usd } from '../../parts/values.tsx';
import { shownBudgets } from '../../text/budget-sums.ts';
import { en } from '../../text/en.ts';
import { sumUsd } from '../../text/money.ts';
import { settingColumns } from './app-columns.tsx';
import { CreateApp } from './create-app.tsx';
import { type AppLine, linesOf } from './lines.ts';

export function AppsView() {
  const read = useRead<AppsPage>('/apps');
  const today = useRead<Overview>('/overview', 'overview');
  const mayOperate = useMay('operate');
  const again = () => {
    read.again();
    today.again();
  };
  return (
    <>
      <PageHead title={en.pages.apps} note="Amounts of the current UTC day, and settings in force">
        {mayOperate && <CreateApp again={again} />}
      </PageHead>
      <Filters />
      <Shown of={read} after={[today]}>
        {({ items }) => (
          <>
            {read.failure === undefined && <ReadFailure of={today} />}
            <Groups lines={linesOf(items, today.data)} again={again} />
          </>
        )}
      </Shown>
    </>
  );
}

const states = [
  ['', 'All'],
  ['enabled', 'Enabled'],
  ['disabled', 'Disabled'],
  ['drift', 'Differs from file'],
] as const;

function Filters() {
  const { query, path, route } = useLocation();
  const set = (changed: Readonly<Record<string, string>>) =>
    route(withQuery(path, { ...query, ...changed, after: '', without: '' }), true);
  return (
    <search class="filters">
      <SearchField label="Find an app" value={query.q ?? ''} set={(q) => set({ q })} />
      <Segments
        label="Apps shown"
        value={query.show ?? ''}
        options={states}
        set={(show) => set({ show })}
      />
    </search>
  );
}

interface GroupsProps {
  readonly lines: readonly AppLine[];
  readonly again: () => void;
}

function Groups({ lines, again }: GroupsProps) {
  const { query, path } = useLocation();
  const matches = lines.filter(matchesFilter(query.show, query.q));
  if (matches.length === 0) {
    return (
      <Card title={en.pages.apps} isFlush>
        {lines.length === 0 ? (
          <Empty icon="apps" title="No apps yet">
            <p>Create one here, or add it to the configuration file and restart the gateway.</p>
          </Empty>
        ) : (
          <Empty icon="apps" title="No matching apps">
            <a class="button" href={path}>
              Clear filters
            </a>
          </Empty>
        )}
      </Card>
    );
  }
  return (
    <>
      <Group
        lines={matches.filter(({ capUsd }) => capUsd !== null)}
        title="With a daily budget"
        caption="Apps"
        parameter="after"
        again={again}
      />
      <Group
        lines={matches.filter(({ capUsd }) => capUsd === null)}
        title="Without a daily budget"
        caption="Apps without a budget"
        parameter="without"
        again={again}
      />
    </>
  );
}

function matchesFilter(show = '', q = '') {
  const text = q.toLowerCase();
  return ({ name, settings: { enabled, drift, project } }: AppLine) => {
    if (text !== '' && !`${name} ${project}`.toLowerCase().includes(text)) return false;
    if (show === 'drift') return drift.length > 0;
    return show === '' || enabled === (show === 'enabled');
  };
}

interface GroupProps extends GroupsProps {
  readonly title: string;
  readonly caption: string;
  /** The cursor's parameter in the address. */
  readonly parameter: string;
}

function Group({ lines, title, caption, parameter, again }: GroupProps) {
  const { query } = useLocation();
  const sort = useSort('-spent');
  const { rows: shown, total } = shownBudgets(lines);
  const rows = lines.flatMap((line, at) => {
    const texts = shown[at];
    return texts === undefined ? [] : [{ ...line, shown: texts }];
  });
  const columns = settingColumns(
    lines.some(({ capUsd }) => capUsd !== null),
    again,
  );
  const chosen = useColumns(caption, columns);
  const sortedRows = sorted(rows, columns, sort);
  const page = pageAfter(sortedRows, ({ name }) => name, query[parameter]);
  if (lines.length === 0) return null;
  return (
    <section class="gap">
      <Card
        title={`${title}: ${lines.length.toLocaleString('en')}`}
        isFlush
        aside={
          <>
            {total.left !== undefined && <BudgetLegend />}
            <ColumnChooser all={columns} chosen={chosen} />
          </>
        }
        footer={
          <>
            <Subtotal lines={lines} shown={total} />
            <Pager label={`Pages of ${caption}`} of={page} parameter={parameter} />
          </>
        }
      >
        <Table
          caption={caption}
          {...{ columns: chosen.columns, rows: page.rows, sort }}
          keyOf={({ name }) => name}
          empty=""
        />
      </Card>
    </section>
  );
}

interface SubtotalProps {
  readonly lines: readonly AppLine[];
  readonly shown: ReturnType<typeof shownBudgets>['total'];
}

/** For the whole group, not only the page. */
function Subtotal({ lines, shown }: SubtotalProps) {
  const sum = (pick: (line: AppLine) => string | null) =>
    sumUsd(lines.map((line) => pick(line) ?? '0'));
  return (
    <span>
      All {lines.length.toLocaleString('en')}:{' '}
      <Usd of={sum(({ spentUsd }) => spentUsd)} shown={shown.spent} /> spent,{' '}
      <Usd of={sum(({ heldUsd }) => heldUsd)} shown={shown.held} /> reserved
      {shown.left !== undefined && (
        <>
          , <Usd of={sum(({ leftUsd }) => leftUsd)} shown={shown.left} /> left of{' '}
          <Usd of={sum(({ capUsd }) => capUsd)} />
        </>
      )}
    </span>
  );
}
