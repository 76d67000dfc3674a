import type { CallSummary, HoldDocument } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import { Badge } from '../../parts/badge.tsx';
import type { Column } from '../../parts/column.ts';
import { Status } from '../../parts/status.tsx';
import { Count, Duration, Name, Usd, When } from '../../parts/values.tsx';
import type { Query } from './filter.ts';

/** A running call has no result yet. */
export type Row = HoldDocument | CallSummary;

export function isRunning(row: Row): row is HoldDocument {
  return 'heldUsd' in row;
}

/** The link of a row, which gets the focus back when its receipt is closed. */
export function linkId(id: string): string {
  return `open-${id}`;
}

/** Sortable by the store's indexes: time and cost. */
export function columnsOf(query: Query): readonly Column<Row>[] {
  return [
    {
      ...{ id: 'time', head: 'Time (UTC)', narrow: 4, value: ({ startedAt }) => startedAt },
      cell: ({ id, startedAt }) => (
        <a id={linkId(id)} class="go" href={withQuery('/console/calls', { ...query, call: id })}>
          <When at={startedAt} isBare />
          <span class="narrow"> UTC</span>
        </a>
      ),
    },
    { ...{ id: 'app', head: 'App', narrow: 1 }, cell: ({ app }) => <Cut of={app} /> },
    { ...{ id: 'model', head: 'Model', narrow: 3 }, cell: ({ model }) => <Cut of={model} /> },
    { ...{ id: 'status', head: 'Status', narrow: 5 }, cell: (row) => <RowStatus of={row} /> },
    {
      ...{ id: 'cost', head: 'Cost', isNumber: true, narrow: 2, value: costOf },
      cell: (row) => <Cost of={row} />,
    },
    ...numbers,
    ...extras,
  ];
}

/** Never wider than its column, even with wide letters. */
function Cut({ of }: { readonly of: string }) {
  return (
    <span class="cut" title={of}>
      <Name of={of} />
    </span>
  );
}

/** Only marks the column as sortable: the store sorts. */
function costOf(row: Row): string {
  return isRunning(row) ? row.heldUsd : row.costUsd;
}

function RowStatus({ of: row }: { readonly of: Row }) {
  if (!isRunning(row)) return <Status of={row.code} />;
  return <Badge tone="held">Running</Badge>;
}

function Cost({ of: row }: { readonly of: Row }) {
  if (!isRunning(row)) return <Usd of={row.costUsd} />;
  return (
    <span class="held" title="Maximum cost; the actual cost is booked when the call ends">
      ≤ <Usd of={row.heldUsd} />
    </span>
  );
}

/** `–` for values that a running call does not have yet. */
function numberOf(
  id: string,
  head: string,
  read: (call: CallSummary) => number | null,
): Column<Row> {
  return {
    ...{ id, head, isNumber: true },
    cell: (row) => <Count of={isRunning(row) ? null : read(row)} />,
  };
}

function durationOf(
  id: string,
  head: string,
  read: (call: CallSummary) => number | null,
): Column<Row> {
  return {
    ...{ id, head, isNumber: true },
    cell: (row) => <Duration ms={isRunning(row) ? null : read(row)} />,
  };
}

const numbers: readonly Column<Row>[] = [
  numberOf('input', 'Input', ({ usage }) => usage.inputTokens),
  numberOf('output', 'Output', ({ usage }) => usage.outputTokens),
  durationOf('latency', 'Latency', ({ tookMs }) => tookMs),
  durationOf('first', 'TTFT', ({ firstMs }) => firstMs),
  numberOf('attempts', 'Attempts', ({ attempts }) => attempts),
];

const extras: readonly Column<Row>[] = [
  {
    ...numberOf('cached', 'Cached input', ({ usage }) => usage.cachedInputTokens),
    isExtra: true,
  },
  {
    ...numberOf('reasoning', 'Reasoning', ({ usage }) => usage.reasoningTokens),
    isExtra: true,
  },
  nameOf('platform', 'Served by', ({ platform }) => platform),
  nameOf('user', 'User', ({ userId }) => userId),
  nameOf('key', 'Key', ({ keyId }) => keyId),
  nameOf('basis', 'Basis', (row) => (isRunning(row) ? null : row.basis)),
];

function nameOf(id: string, head: string, read: (row: Row) => string | null): Column<Row> {
  return {
    ...{ id, head, isExtra: true },
    cell: (row) => {
      const name = read(row);
      return name === null ? '–' : <Cut of={name} />;
    },
  };
}
