import type { Health } from '@model-gateway/server/operations/documents';
import { Badge } from '../../parts/badge.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { BarSpark } from '../../parts/stat.tsx';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Count, When } from '../../parts/values.tsx';

type Keyless = Health['keyless'][number];

/** The caller's mistake; on hover, the reason in the logs. */
const reasons: Readonly<Record<Keyless['reason'], string>> = {
  ...{ 'no-header': 'No key', 'wrong-scheme': 'Not a bearer key', 'two-keys': 'Two keys' },
  ...{ 'ingress-off': 'API is off for this app', checksum: 'Mistyped key' },
  ...{ unknown: 'Unknown key', disabled: 'Disabled key', ended: 'Expired key' },
  run: 'Key of an ended run',
};

const columns: readonly Column<Keyless>[] = [
  {
    ...{ id: 'reason', head: 'Reason', narrow: 1 },
    cell: ({ reason }) => (
      <Badge tone="bad" title={reason}>
        {reasons[reason]}
      </Badge>
    ),
  },
  {
    ...{ id: 'path', head: 'Last request', isFill: true, narrow: 3 },
    cell: ({ path }) => (
      <span class="cut" title={path ?? undefined}>
        {path ?? '–'}
      </span>
    ),
  },
  { id: 'last', head: 'Last seen', narrow: 4, cell: ({ lastAt }) => <When at={lastAt} /> },
  {
    ...{ id: 'count', head: 'Requests', isNumber: true, narrow: 2 },
    cell: ({ count }) => <Count of={count} />,
  },
];

/** The service has a row per hour; the page has one per reason. */
export function KeylessCard({ of }: { readonly of: readonly Keyless[] }) {
  const rows = [...Map.groupBy(of, ({ reason }) => reason).values()]
    .map((same) => same.reduce(joined))
    .sort((a, b) => b.count - a.count);
  return (
    <Card
      title="Requests without a valid key, last 24 hours"
      id="keyless"
      isFlush={true}
      footer={<span>Callers get the same response for every reason.</span>}
    >
      {rows.length > 0 && (
        <div class="body">
          <BarSpark label="Rejected requests by hour" values={byHour(of)} />
        </div>
      )}
      <Table
        caption="Requests without a valid key"
        columns={columns}
        rows={rows}
        keyOf={({ reason }) => reason}
        empty={
          <Empty icon="key" title="No requests without a valid key">
            <p>Missing, mistyped, disabled and expired keys are counted here by reason.</p>
          </Empty>
        }
      />
    </Card>
  );
}

function joined(one: Keyless, other: Keyless): Keyless {
  const last = one.lastAt > other.lastAt ? one : other;
  return { ...last, count: one.count + other.count };
}

const hourMs = 3_600_000;

function byHour(rows: readonly Keyless[]): readonly number[] {
  const now = Math.floor(Date.now() / hourMs);
  return Array.from({ length: 24 }, (_, at) =>
    rows
      .filter((row) => Math.floor(Date.parse(row.at) / hourMs) === now - 23 + at)
      .reduce((sum, { count }) => sum + count, 0),
  );
}
