import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import type { Column } from '../parts/column.ts';
import { ColumnChooser, useColumns } from '../parts/column-chooser.tsx';
import { Menu } from '../parts/menu.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { sorted, useSort } from '../parts/use-sort.ts';
import { Name, Usd } from '../parts/values.tsx';
import { picoOf, shownParts, sumUsd } from '../text/money.ts';
import { amounts, longModel, users } from './samples.ts';

interface Row {
  readonly name: string;
  readonly usd: string;
  readonly shown: string | undefined;
}

const total = sumUsd(amounts);
const named = users.map((name, at) => ({ name, usd: amounts[at] ?? '0' }));
const shown = shownParts(named, total);
const rows: readonly Row[] = named.map((row, at) => ({ ...row, shown: shown[at] }));

const all: readonly Column<Row>[] = [
  {
    ...{ id: 'name', head: 'Name', narrow: 1, value: ({ name }) => name },
    cell: ({ name }) => <Name of={name} />,
  },
  {
    ...{ id: 'text', head: 'Text', isFill: true, narrow: 3 },
    cell: () => (
      <span class="cut" title={longModel}>
        {longModel}
      </span>
    ),
  },
  {
    ...{ id: 'state', head: 'State', narrow: 5 },
    cell: () => <Badge tone="good">Active</Badge>,
  },
  {
    ...{ id: 'usd', head: 'Spent', isNumber: true, narrow: 2, value: ({ usd }) => picoOf(usd) },
    cell: (row) => <Usd of={row.usd} shown={row.shown} />,
    total: <Usd of={total} />,
  },
  { id: 'extra', head: 'Chosen by readers', isExtra: true, cell: () => 'extra' },
  {
    ...{ id: 'actions', head: 'Actions', narrow: 6 },
    cell: ({ name }) => (
      <Menu label={`Actions for ${name}`} actions={[{ icon: 'open', text: 'Open', href: '#' }]} />
    ),
  },
];

export function Tables() {
  const sort = useSort('-usd');
  const chosen = useColumns('parts', all);
  const empty = <Empty icon="key" title="No keys" />;
  return (
    <>
      <Card title="Table" isFlush={true} aside={<ColumnChooser all={all} chosen={chosen} />}>
        <Table
          caption="Rows"
          columns={chosen.columns}
          rows={sorted(rows, all, sort)}
          keyOf={({ name }) => name}
          selected="search"
          totalLabel="Total"
          {...{ sort, empty }}
        />
      </Card>
      <Card title="Table without rows" isFlush={true}>
        <Table caption="No rows" columns={all} rows={[]} keyOf={({ name }) => name} empty={empty} />
      </Card>
    </>
  );
}
