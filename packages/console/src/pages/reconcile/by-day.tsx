import type { DaySettled, ReconciledDocument } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import { OpenedChange } from '../../parts/change-dialog.tsx';
import type { Column } from '../../parts/column.ts';
import { type Action, Menu } from '../../parts/menu.tsx';
import { Alert } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { sorted, useSort } from '../../parts/use-sort.ts';
import { Day } from '../../parts/values.tsx';
import { amountColumns, type Sides, sidesOf } from './amounts.tsx';
import { allVerdicts, verdicts, worstOf } from './verdicts.ts';

interface DayRow extends Sides {
  readonly day: string;
  readonly rows: readonly ReconciledDocument[];
}

interface ByDayProps {
  readonly rows: readonly ReconciledDocument[];
  readonly mayBook: boolean;
  readonly again: () => void;
}

export function ByDay({ rows, mayBook, again }: ByDayProps) {
  const { query } = useLocation();
  const sort = useSort('-day');
  const days: readonly DayRow[] = [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => {
    return { day, rows: ofDay, ...sidesOf(ofDay) };
  });
  const linesOf = (day: string) =>
    withQuery('/console/reconcile', { month: query.month, sort: query.sort, day });
  const columns: readonly Column<DayRow>[] = [
    {
      ...{ id: 'day', head: 'Day (UTC)', narrow: 1, value: ({ day }) => day },
      cell: ({ day }) => (
        <a class="go" href={linesOf(day)}>
          <Day of={day} />
        </a>
      ),
    },
    {
      ...{ id: 'result', head: 'Result', narrow: 3 },
      value: (row) => allVerdicts.indexOf(worstOf(row.rows)),
      cell: (row) => <DayResult rows={row.rows} />,
    },
    {
      ...{ id: 'final', head: 'Invoice state' },
      cell: (row) => (row.rows.every(({ isFinal }) => isFinal) ? 'final' : 'open'),
    },
    ...amountColumns(days, ({ day }) => day, sidesOf(rows)),
    {
      ...{ id: 'actions', head: 'Actions', narrow: 6 },
      cell: ({ day, rows: ofDay }) => (
        <Menu
          label={`Actions for ${day}`}
          actions={[
            ...(mayBook && ofDay.some(isSettleable) ? [settle(day, again)] : []),
            { icon: 'calls', text: 'Show lines', href: linesOf(day) },
            {
              ...{ icon: 'bars', text: 'Show spend' },
              href: withQuery('/console/spend', { from: day, to: day, by: 'app' }),
            },
          ]}
        />
      ),
    },
  ];
  return (
    <div class="gap">
      <Card title="By day" isFlush={true}>
        <Table
          caption="Invoice and ledger by day"
          columns={columns}
          rows={sorted(days, columns, sort)}
          keyOf={({ day }) => day}
          sort={sort}
          selected={query.day}
          totalLabel="Total"
          empty=""
        />
      </Card>
    </div>
  );
}

function DayResult({ rows }: Pick<DayRow, 'rows'>) {
  const worst = worstOf(rows);
  const { tone, text, help } = verdicts[worst];
  return (
    <Badge tone={tone} title={help}>
      {text}
    </Badge>
  );
}

/** The service settles only these. */
function isSettleable({ verdict, isFinal }: ReconciledDocument): boolean {
  return isFinal && verdict === 'explained';
}

function settle(day: string, again: () => void): Action {
  return {
    ...{ icon: 'check', text: `Settle ${day}…` },
    dialog: (close) => (
      <OpenedChange<DaySettled>
        title={`Settle ${day}`}
        confirm={day}
        verb="Settle"
        operation="reconcile settle"
        given={{ day }}
        close={close}
        onChanged={again}
      >
        <Alert tone="warn">
          Estimated costs of this day are adjusted to the invoice. Wallets do not change.
        </Alert>
      </OpenedChange>
    ),
  };
}
