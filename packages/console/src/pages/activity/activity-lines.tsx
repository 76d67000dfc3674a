import type { LineDocument, LinesPage } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/read.ts';
import { withQuery } from '../../data/with-query.ts';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Diff } from '../../parts/diff.tsx';
import { Shown } from '../../parts/shown.tsx';
import { When } from '../../parts/values.tsx';

const columns: readonly Head<LineDocument>[] = [
  { head: 'At', cell: ({ at }) => <When at={at} /> },
  { head: 'Who', cell: ({ actor }) => actor },
  { head: 'Did', cell: ({ action }) => action },
  { head: 'To', cell: ({ subject }) => subject },
  {
    ...{ head: 'Before → after', isText: true },
    cell: ({ before, after }) => <Diff before={before} after={after} />,
  },
  { head: 'Why', cell: ({ reason, reference }) => [reason, reference].filter(Boolean).join(' · ') },
];

export function AuditLines({ asked }: { readonly asked: Readonly<Record<string, string>> }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const path = withQuery('/audit-log', { ...asked, after: cursors.at(-1) });
  return (
    <Shown of={useRead<LinesPage>(path)}>
      {({ items, after }) => (
        <>
          <DataTable
            caption="Audit log"
            heads={columns}
            rows={items}
            keyOf={({ id }) => id}
            empty="Nothing was changed. Each change of an operator is a line here, with who and why."
          />
          <nav class="pager" aria-label="Pages of the audit log">
            {cursors.length > 0 && (
              <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
                Newer
              </button>
            )}
            {after !== null && (
              <button type="button" onClick={() => setCursors([...cursors, after])}>
                Older
              </button>
            )}
          </nav>
        </>
      )}
    </Shown>
  );
}
