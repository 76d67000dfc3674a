import { useLocation } from 'preact-iso';
import { useMay } from '../../data/session.ts';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { ColumnChooser, useColumns } from '../../parts/column-chooser.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { sorted, useSort } from '../../parts/use-sort.ts';
import { Count, Name, ShortCount, Usd } from '../../parts/values.tsx';
import { differenceUsd, picoOf } from '../../text/money.ts';
import { cutLines, type Line, linesOf, type SpendRows } from './lines.ts';
import { nameOf, type Series } from './series.ts';
import { callsOf, drillOf, type SpendQuery, spendOf } from './spend-query.ts';
import { perCall } from './stats.tsx';

interface TableProps {
  readonly spend: SpendRows;
  /** Next to each row, with `compare`. */
  readonly before?: SpendRows | undefined;
  readonly spendQuery: SpendQuery;
  readonly series: Series;
}

const rowsMax = 50;

export function SpendTable({ spend, before, spendQuery, series }: TableProps) {
  const { query } = useLocation();
  const { found, by } = spend;
  const lines = linesOf(spend, before);
  const all = columnsOf({ spend, spendQuery, series }, useMay('users'));
  const chosen = useColumns('spend', all);
  const sort = useSort('-cost');
  const listed = sorted(
    lines.filter(({ names }) => names !== undefined),
    all,
    sort,
  );
  const rest = lines.filter(({ names }) => names === undefined);
  const rows = cutLines([...listed, ...rest], query.all === 'true' ? lines.length : rowsMax);
  const calls = callsOf(spendQuery);
  return (
    <Card
      title={`By ${by.join(' and ')}`}
      aside={<ColumnChooser all={all} chosen={chosen} />}
      isFlush
      footer={
        <>
          <span>
            {`${Math.min(spend.rows.length, rows.length)} of ${found} rows`}. The total covers all
            rows.
          </span>
          {rows.length < lines.length && (
            <a href={spendOf(spendQuery, { all: 'true' })}>{`Show ${lines.length} rows`}</a>
          )}
          {calls !== undefined && <a href={calls}>Show these calls</a>}
        </>
      }
    >
      <Table
        caption={`Spend by ${by.join(' and ')}`}
        columns={before === undefined ? chosen.columns : compared(chosen.columns, spend, before)}
        rows={rows}
        keyOf={({ key }) => key}
        sort={sort}
        totalLabel="Total"
        empty={
          <Empty icon="bars" title="No calls in this range">
            <p>Choose another range or fewer filters.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function columnsOf(props: TableProps, mayUsers: boolean): readonly Column<Line>[] {
  const { spend, spendQuery, series } = props;
  const { by, total } = spend;
  // Masked names of users find no call.
  const isMasked = by.includes('user') && !mayUsers;
  return [
    {
      ...{ id: 'name', head: headOf(by), narrow: 1 },
      value: ({ names }) => names?.join('\n') ?? '',
      cell: ({ names, key }) => {
        const href = names && !isMasked ? drillOf(spendQuery, by, names) : undefined;
        return <RowName {...{ names, href }} color={series.colorOf(key)} />;
      },
    },
    {
      ...{ id: 'share', head: 'Share', narrow: 5 },
      cell: ({ permille, key }) => <ShareBar permille={permille} color={series.colorOf(key)} />,
      total: (
        <span class="used">
          <span />
          <span>100%</span>
        </span>
      ),
    },
    {
      ...{ id: 'cost', head: 'Cost', isNumber: true, narrow: 2 },
      value: ({ cost }) => picoOf(cost.usd),
      cell: ({ cost }) => <Usd of={cost.usd} shown={cost.shown} />,
      total: <Usd of={total.costUsd} />,
    },
    {
      ...{ id: 'calls', head: 'Calls', isNumber: true, narrow: 4 },
      value: (line) => line.counts.calls,
      cell: (line) => {
        const href = line.names && !isMasked ? callsOf(spendQuery, by, line.names) : undefined;
        return <Calls of={line.counts.calls} href={href} />;
      },
      total: <Calls of={total.calls} href={undefined} />,
    },
    {
      ...{ id: 'each', head: 'Per call', isNumber: true, narrow: 3 },
      value: ({ cost, counts }) => picoOf(perCall(cost.usd, counts.calls) ?? '0'),
      cell: ({ cost, counts }) => <PerCall of={perCall(cost.usd, counts.calls)} />,
      total: <PerCall of={perCall(total.costUsd, total.calls)} />,
    },
    ...tokenColumns(total),
    {
      ...{ id: 'estimated', head: 'Estimated', isNumber: true },
      value: ({ estimated }) => picoOf(estimated.usd),
      cell: ({ estimated }) => <Usd of={estimated.usd} shown={estimated.shown} />,
      total: <Usd of={total.estimatedUsd} />,
    },
  ];
}

function tokenColumns(total: SpendRows['total']): readonly Column<Line>[] {
  const tokens = [
    ['inputTokens', 'Input'],
    ['cachedInputTokens', 'Cached'],
    ['outputTokens', 'Output'],
    ['reasoningTokens', 'Reasoning'],
    ['errors', 'Failed calls'],
  ] as const;
  return tokens.map(([name, head]) => ({
    ...{ id: name, head, isNumber: true },
    isExtra: name === 'reasoningTokens' || name === 'errors',
    value: ({ counts }) => counts[name],
    cell: ({ counts }) => <ShortCount of={counts[name]} />,
    total: <ShortCount of={total[name]} />,
  }));
}

/** The previous period replaces the tokens: a table must fit its window. */
function compared(
  columns: readonly Column<Line>[],
  { total: now }: SpendRows,
  { total }: SpendRows,
): readonly Column<Line>[] {
  const change = ({ cost, before }: Line) => differenceUsd(cost.usd, before.usd);
  return [
    ...columns.filter(({ id }) => !id.endsWith('Tokens')),
    {
      ...{ id: 'before', head: 'Previous period', isNumber: true },
      value: ({ before }) => picoOf(before.usd),
      cell: ({ before }) => <Usd of={before.usd} shown={before.shown} />,
      total: <Usd of={total.costUsd} />,
    },
    {
      ...{ id: 'change', head: 'Change', isNumber: true },
      value: (line) => picoOf(change(line)),
      cell: (line) => <Change usd={change(line)} />,
      total: <Change usd={differenceUsd(now.costUsd, total.costUsd)} />,
    },
  ];
}

function Change({ usd }: { readonly usd: string }) {
  return (
    <>
      {picoOf(usd) > 0n && '+'}
      <Usd of={usd} />
    </>
  );
}

interface NameProps {
  readonly names: readonly string[] | undefined;
  readonly href: string | undefined;
  readonly color: string;
}

function RowName({ names, href, color }: NameProps) {
  const name = names === undefined ? 'other rows' : names.map(nameOf).join(', ');
  return (
    <span class="key">
      <span class={`swatch ${names === undefined ? 's7' : color}`} />
      {href === undefined ? (
        <Name of={name} />
      ) : (
        <a class="go" href={href}>
          <Name of={name} />
        </a>
      )}
    </span>
  );
}

function Calls({ of, href }: { readonly of: number; readonly href: string | undefined }) {
  return (
    <>
      {href === undefined ? (
        <Count of={of} />
      ) : (
        <a class="go" href={href}>
          <Count of={of} />
        </a>
      )}
      <span class="narrow"> calls</span>
    </>
  );
}

function PerCall({ of }: { readonly of: string | null }) {
  return (
    <>
      <Usd of={of} />
      <span class="narrow"> per call</span>
    </>
  );
}

function headOf(by: readonly string[]): string {
  const text = by.join(' and ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
