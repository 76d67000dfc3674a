import type { HoldDocument, HoldsPage } from '@model-gateway/server/operations/documents';
import type { Read } from '../../data/read.ts';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Usd, When } from '../../parts/values.tsx';

const columns: readonly Head<HoldDocument>[] = [
  { head: 'Call', cell: ({ id }) => <a href={`/console/calls/${id}`}>{id}</a> },
  { head: 'Since', cell: ({ startedAt }) => <When at={startedAt} /> },
  { head: 'User', cell: ({ userId }) => userId ?? '–' },
  { head: 'Key', cell: ({ keyId }) => keyId ?? '–' },
  { head: 'Model', cell: ({ model }) => model },
  { head: 'Held', isNumber: true, cell: ({ heldUsd }) => <Usd of={heldUsd} /> },
  { head: 'Until', cell: ({ expiresAt }) => <When at={expiresAt} /> },
];

export function Holds({ holds }: { readonly holds: Read<HoldsPage> }) {
  return (
    <section>
      <h2>Held by running calls</h2>
      <Shown of={holds}>
        {({ items }) => (
          <DataTable
            caption="Running calls"
            heads={columns}
            rows={items}
            keyOf={({ id }) => id}
            empty="Nothing is held: no call runs. While one does, the most that it can cost is here."
          />
        )}
      </Shown>
    </section>
  );
}
