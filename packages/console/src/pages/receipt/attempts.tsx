import type { AttemptDocument } from '@model-gateway/server/operations/documents';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/states.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Duration, ExactUsd, Name, When } from '../../parts/values.tsx';

export function Attempts({ attempts }: { readonly attempts: readonly AttemptDocument[] }) {
  return (
    <Card title="Attempts" isFlush>
      <Table
        caption="Platform attempts"
        columns={columns}
        rows={attempts}
        keyOf={({ startedAt }) => startedAt}
        empty={
          <Empty icon="refused" title="No attempts">
            <p>No platform was called.</p>
          </Empty>
        }
      />
    </Card>
  );
}

const columns: readonly Column<AttemptDocument>[] = [
  {
    ...{ id: 'started', head: 'Started (UTC)', narrow: 1 },
    cell: ({ startedAt }) => (
      <>
        <When at={startedAt} isBare />
        <span class="narrow"> UTC</span>
      </>
    ),
  },
  {
    ...{ id: 'outcome', head: 'Outcome', narrow: 3 },
    cell: ({ outcome }) =>
      outcome === 'answered' ? <Badge tone="good">Succeeded</Badge> : <Status of={outcome} />,
  },
  { ...{ id: 'status', head: 'Status', isNumber: true }, cell: ({ status }) => status ?? '–' },
  {
    ...{ id: 'took', head: 'Duration', isNumber: true, narrow: 4 },
    cell: ({ tookMs }) => <Duration ms={tookMs} />,
  },
  { ...{ id: 'model', head: 'Model' }, cell: ({ model }) => <Name of={model} /> },
  {
    ...{ id: 'id', head: 'Platform request id', narrow: 5 },
    cell: ({ requestId }) =>
      requestId === null ? (
        '–'
      ) : (
        <code>
          <Name of={requestId} />
        </code>
      ),
  },
  {
    ...{ id: 'cost', head: 'Cost', isNumber: true, narrow: 2 },
    cell: ({ costUsd }) => <ExactUsd of={costUsd} />,
  },
];
