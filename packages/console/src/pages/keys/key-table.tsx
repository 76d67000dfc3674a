import type { KeysPage, ListedKey } from '@model-gateway/server/operations/documents';
import { useLocation } from 'preact-iso';
import { type Read, useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { ColumnChooser, useColumns } from '../../parts/column-chooser.tsx';
import { ExportRows } from '../../parts/export-rows.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { useSort } from '../../parts/use-sort.ts';
import { keyColumns } from './key-columns.tsx';

export const pageRows = '50';

/** The keys of one app. */
export function KeyTable({ path, app }: { readonly path: string; readonly app: string }) {
  const { keysAfter: after } = useLocation().query;
  const read = useRead<KeysPage>(withQuery(path, { limit: pageRows, after }));
  return <KeyRows read={read} again={read.again} app={app} parameter="keysAfter" />;
}

interface RowsProps {
  readonly read: Read<KeysPage>;
  /** Called after a change. */
  readonly again: () => void;
  readonly app?: string;
  /** The address's parameter for the key before the page. */
  readonly parameter?: string;
}

export function KeyRows({ read, ...rows }: RowsProps) {
  return <Shown of={read}>{(page) => <Rows {...rows} page={page} />}</Shown>;
}

const exported = [
  ...['key', 'app', 'state', 'contact', 'note', 'role', 'created', 'expires'],
  ...['last used', 'calls today', 'spent today USD'],
];

function exportedOf(key: ListedKey) {
  const { id, app, state, contact, note, role, createdAt, expiresAt } = key;
  return [
    ...[id, app, state, contact, note, role, createdAt, expiresAt],
    ...[key.lastUsedAt, key.callsToday, key.spentTodayUsd],
  ];
}

type PageProps = Omit<RowsProps, 'read'> & { readonly page: KeysPage };

function Rows({ page, again, app, parameter = 'after' }: PageProps) {
  const columns = keyColumns(app, again);
  const chosen = useColumns('keys', columns);
  const sort = useSort('-spent');
  const { items: rows, first = 1, count = rows.length, before, after } = page;
  const title = `${count.toLocaleString('en')} ${count === 1 ? 'key' : 'keys'}`;
  return (
    <Card
      title={app === undefined ? title : 'Keys'}
      aside={
        <>
          <ExportRows name="keys" heads={exported} cells={exportedOf} rows={rows} />
          <ColumnChooser all={columns} chosen={chosen} />
        </>
      }
      isFlush
      footer={
        <>
          <Pager
            label="Pages of keys"
            of={{ rows, first, count, before: before ?? undefined, next: after ?? undefined }}
            parameter={parameter}
          />
          {app === undefined && <a href="/console/health">Requests without a valid key</a>}
          <span>Disabling takes effect within 1 s on every replica.</span>
        </>
      }
    >
      <Table
        caption={app === undefined ? 'Keys' : `Keys of ${app}`}
        columns={chosen.columns}
        rows={rows}
        keyOf={({ id }) => id}
        sort={app === undefined ? sort : undefined}
        empty={
          <Empty icon="key" title="No keys">
            <p>Issue a key for an app. Its usage appears here within a minute.</p>
          </Empty>
        }
      />
    </Card>
  );
}
