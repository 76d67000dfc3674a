import type { KeysPage, ListedKey } from '@model-gateway/server/operations/documents';
import type { Read } from '../../data/read.ts';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Usd, When } from '../../parts/values.tsx';
import { KeyMenu } from '../keys/key-menu.tsx';
import { KeyState } from '../keys/key-state.tsx';

const columnsOf = (again: () => void): readonly Column<ListedKey>[] => [
  { id: 'key', head: 'Key', cell: nameOf, narrow: 1 },
  { id: 'state', head: 'State', cell: (key) => <KeyState of={key} />, narrow: 3 },
  {
    ...{ id: 'used', head: 'Last used', narrow: 4 },
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <When at={lastUsedAt} />),
  },
  {
    ...{ id: 'spent', head: 'Spent today', isNumber: true, narrow: 2 },
    cell: ({ spentTodayUsd }) => <Usd of={spentTodayUsd} />,
  },
  {
    ...{ id: 'actions', head: <span class="hide">Actions</span>, narrow: 6 },
    cell: (key) => <KeyMenu of={key} again={again} />,
  },
];

/** The keys with the highest spend today. */
export const cardQuery = 'limit=5&sort=-spent';

interface KeysProps {
  readonly keys: Read<KeysPage>;
  readonly all: string;
}

export function KeysCard({ keys, all }: KeysProps) {
  return (
    <Card
      title="Keys"
      span={7}
      aside={
        <a class="note" href={all}>
          All keys
        </a>
      }
      isFlush
    >
      <Shown of={keys} rows={3}>
        {({ items }) => (
          <Table
            caption="Keys of this app"
            columns={columnsOf(keys.again)}
            rows={items}
            keyOf={({ id }) => id}
            empty={
              <Empty icon="key" title="No keys">
                <p>Issue a key to let this app make calls.</p>
              </Empty>
            }
          />
        )}
      </Shown>
    </Card>
  );
}

function nameOf({ id, customerId, note }: ListedKey) {
  return (
    <span class="cut" title={[id, customerId, note].filter(Boolean).join(' · ')}>
      <code>{id}</code> <span class="note">{note ?? customerId}</span>
    </span>
  );
}
