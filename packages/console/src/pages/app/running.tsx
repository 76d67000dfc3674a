import type {
  HoldDocument,
  HoldsPage,
  RunDocument,
  RunEnded,
} from '@model-gateway/server/operations/documents';
import type { Read } from '../../data/read.ts';
import { useMay } from '../../data/session.ts';
import { Card } from '../../parts/card.tsx';
import { OpenedChange } from '../../parts/change-dialog.tsx';
import type { Column } from '../../parts/column.ts';
import { Menu } from '../../parts/menu.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Name, Usd, When } from '../../parts/values.tsx';

const holdColumns: readonly Column<HoldDocument>[] = [
  {
    ...{ id: 'call', head: 'Call', narrow: 1 },
    cell: ({ id }) => (
      <a href={`/console/calls/${encodeURIComponent(id)}`}>
        <Name of={id} />
      </a>
    ),
  },
  {
    ...{ id: 'since', head: 'Since', narrow: 3 },
    cell: ({ startedAt }) => <When at={startedAt} isTime />,
  },
  { id: 'user', head: 'User', cell: ({ userId }) => <Name of={userId ?? '–'} /> },
  { id: 'key', head: 'Key', cell: ({ keyId }) => <Name of={keyId ?? '–'} /> },
  { id: 'model', head: 'Model', cell: ({ model }) => <Name of={model} />, narrow: 4 },
  {
    ...{ id: 'held', head: 'Reserved', isNumber: true, narrow: 2 },
    cell: ({ heldUsd }) => (
      <span class="held">
        <Usd of={heldUsd} />
      </span>
    ),
  },
  { id: 'until', head: 'Until', cell: ({ expiresAt }) => <When at={expiresAt} isTime /> },
];

export function Holds({ holds }: { readonly holds: Read<HoldsPage> }) {
  return (
    <Card title="Reserved for running calls" isFlush>
      <Shown of={holds} rows={2}>
        {({ items }) => (
          <Table
            caption="Running calls"
            columns={holdColumns}
            rows={items}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="calls" title="No running calls">
                <p>The maximum cost of each running call is reserved and appears here.</p>
              </Empty>
            }
          />
        )}
      </Shown>
    </Card>
  );
}

interface RunsProps {
  readonly runs: readonly RunDocument[];
  readonly again: () => void;
}

const usd = (id: 'spentUsd' | 'heldUsd' | 'remainingUsd' | 'maxCostUsd', head: string) => ({
  ...{ id, head, isNumber: true },
  cell: (run: RunDocument) => <Usd of={run[id]} />,
});

export function Runs({ runs, again }: RunsProps) {
  const mayOperate = useMay('operate');
  const columns: readonly Column<RunDocument>[] = [
    {
      ...{ id: 'run', head: 'Run', narrow: 1 },
      cell: ({ id, label }) => (
        <span title={id}>
          <Name of={label ?? id} />
        </span>
      ),
    },
    { id: 'user', head: 'User', cell: ({ userId }) => <Name of={userId ?? '–'} />, narrow: 3 },
    { ...usd('spentUsd', 'Spent'), narrow: 2 },
    usd('heldUsd', 'Reserved'),
    usd('remainingUsd', 'Remaining'),
    usd('maxCostUsd', 'Run budget'),
    { id: 'until', head: 'Until', cell: ({ expiresAt }) => <When at={expiresAt} />, narrow: 4 },
    {
      ...{ id: 'actions', head: <span class="hide">Actions</span>, narrow: 6 },
      cell: (run) => mayOperate && <RunMenu run={run} again={again} />,
    },
  ];
  return (
    <Card title="Open runs" isFlush>
      <Table
        caption="Runs of this app"
        columns={columns}
        rows={runs}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="activity" title="No open runs">
            <p>Runs created with POST /v1/runs appear here with their remaining budget.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function RunMenu({ run, again }: { readonly run: RunDocument; readonly again: () => void }) {
  const { id, label } = run;
  return (
    <Menu
      label={`Actions for ${label ?? id}`}
      actions={[
        {
          ...{ icon: 'close', text: 'End run…', isDangerous: true },
          dialog: (close) => (
            <OpenedChange<RunEnded>
              title={`End run ${label ?? id}`}
              verb="End run"
              operation="runs end"
              given={{ id }}
              onChanged={again}
              close={close}
            />
          ),
        },
      ]}
    />
  );
}
