import type { Refusal } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Count, When } from '../../parts/values.tsx';

const columns: readonly Head<Refusal>[] = [
  { head: 'Hour', cell: ({ at }) => <When at={at} /> },
  {
    head: 'Code',
    cell: ({ app, code }) => <a href={withQuery('/console/calls', { app, code })}>{code}</a>,
  },
  { head: 'Refused', isNumber: true, cell: ({ count }) => <Count of={count} /> },
  { head: 'Last told', cell: ({ lastMessage }) => lastMessage },
  { head: 'Last request', cell: ({ lastRequestId }) => lastRequestId ?? '–' },
];

export function Refusals({ refusals }: { readonly refusals: readonly Refusal[] }) {
  return (
    <section>
      <h2>Refused in the last 24 hours</h2>
      <DataTable
        caption="Refusals"
        heads={columns}
        rows={refusals}
        keyOf={({ at, code }) => `${at} ${code}`}
        empty="Nothing was refused. A request that a budget, a plan or a list refuses is counted here."
      />
    </section>
  );
}
