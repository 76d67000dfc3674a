import type { ReconciledDocument } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { ColumnChooser, useColumns } from '../../parts/column-chooser.tsx';
import { Picker } from '../../parts/picker.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Day, Name, Usd } from '../../parts/values.tsx';
import { amountColumns, type Sides, sidesOf } from './amounts.tsx';
import { allVerdicts, type Verdict, verdicts } from './verdicts.ts';

type Line = ReconciledDocument & Sides;

const linesMax = 50;

/** The worst first; lines without an invoice come last. */
function sortOrderOf({ verdict }: ReconciledDocument): number {
  return verdict === 'open' ? allVerdicts.length : allVerdicts.indexOf(verdict);
}

/** The rows of the comparison, filtered by the address's day or result. */
export function Lines({ rows }: { readonly rows: readonly ReconciledDocument[] }) {
  const { query, path, route } = useLocation();
  const change = (next: Readonly<Record<string, string | undefined>>) =>
    route(withQuery(path, { ...query, ...next }), true);
  const chosen = rows
    .filter(
      ({ day, verdict }) =>
        (query.day === undefined || day === query.day) &&
        (query.result === undefined || verdict === query.result),
    )
    .toSorted((a, b) => sortOrderOf(a) - sortOrderOf(b));
  const shown = query.lines === 'all' ? chosen : chosen.slice(0, linesMax);
  const lines = shown.map((row) => ({ ...row, ...sidesOf([row]) }));
  const all = [...nameColumns, ...amountColumns(lines, keyOf, sidesOf(shown)), ...factColumns];
  const columns = useColumns('reconcile-lines', all);
  const countOf = (name: Verdict) => rows.filter(({ verdict }) => verdict === name).length;
  return (
    <div class="gap">
      <Card
        title="Lines"
        isFlush={true}
        aside={
          <>
            <Picker
              label="Day"
              options={[...new Set(rows.map(({ day }) => day))].map((value) => ({ value }))}
              chosen={query.day === undefined ? [] : [query.day]}
              set={([day]) => change({ day })}
            />
            <Picker
              label="Result"
              options={allVerdicts
                .map((value) => ({ value, text: verdicts[value].text, count: countOf(value) }))
                .filter(({ count }) => count > 0)}
              chosen={query.result === undefined ? [] : [query.result]}
              set={([result]) => change({ result })}
            />
            <ColumnChooser all={all} chosen={columns} />
          </>
        }
        footer={
          shown.length < chosen.length ? (
            <>
              <span>
                {shown.length} of {chosen.length.toLocaleString('en')} lines
              </span>
              <a href={withQuery(path, { ...query, lines: 'all' })}>Show all</a>
            </>
          ) : undefined
        }
      >
        <Table
          caption="Invoice and ledger lines"
          columns={columns.columns}
          rows={lines}
          keyOf={keyOf}
          totalLabel="Total of these lines"
          isLong={true}
          empty={
            <Empty icon="search" title="No matching lines">
              <button type="button" onClick={() => change({ day: undefined, result: undefined })}>
                Clear filters
              </button>
            </Empty>
          }
        />
      </Card>
    </div>
  );
}

function keyOf({ platform, day, app, model, verdict, projects }: ReconciledDocument): string {
  return [platform, day, app, model, verdict, ...projects].join('\n');
}

const nameColumns: readonly Column<Line>[] = [
  {
    ...{ id: 'owner', head: 'App or project, model', narrow: 1 },
    cell: (line) => (
      <>
        <div>
          <Owner {...line} />
        </div>
        <div class="note">
          <Name of={line.model ?? 'all models'} />
        </div>
      </>
    ),
  },
  { id: 'day', head: 'Day (UTC)', narrow: 3, cell: ({ day }) => <Day of={day} /> },
  {
    ...{ id: 'platform', head: 'Platform', isExtra: true },
    cell: ({ platform }) => <Name of={platform} />,
  },
];

function Owner({ app, day, projects }: Line) {
  if (app === null) return <Name of={projects.join(', ') || '–'} />;
  return (
    <a class="go" href={withQuery('/console/spend', { app, from: day, to: day, by: 'model' })}>
      <Name of={app} />
    </a>
  );
}

const factColumns: readonly Column<Line>[] = [
  {
    ...{ id: 'estimated', head: 'Estimated', isNumber: true, isExtra: true },
    cell: ({ estimatedUsd }) => <Usd of={estimatedUsd} />,
  },
  {
    ...{ id: 'result', head: 'Result', narrow: 5 },
    cell: ({ verdict }) => (
      <Badge tone={verdicts[verdict].tone} title={verdicts[verdict].help}>
        {verdicts[verdict].text}
      </Badge>
    ),
  },
];
