import type { Spend } from '@model-gateway/server/operations/documents';
import { DataTable, type Head } from '../../parts/data-table.tsx';
import { Long } from '../../parts/long.tsx';
import { Count, Usd } from '../../parts/values.tsx';
import { shareOf } from '../../text/amounts.ts';
import { type Asked, callsOf } from './asked.ts';

type Row = Spend['rows'][number];

export function SpendTable({
  spend,
  asked,
}: {
  readonly spend: Pick<Spend, 'rows' | 'total' | 'found' | 'by'>;
  readonly asked: Asked;
}) {
  const { rows, total, found, by } = spend;
  const count = (
    head: string,
    name: 'calls' | 'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'reasoningTokens',
  ): Head<Row> => {
    return { head: head, isNumber: true, cell: ({ sums }) => <Count of={sums[name]} /> };
  };
  const columns: readonly Head<Row>[] = [
    { head: by.join(', '), cell: ({ names }) => <RowName names={names} asked={asked} /> },
    count('Calls', 'calls'),
    count('Input', 'inputTokens'),
    count('Cached', 'cachedInputTokens'),
    count('Output', 'outputTokens'),
    count('Reasoning', 'reasoningTokens'),
    { head: 'Cost', isNumber: true, cell: ({ sums }) => <Usd of={sums.costUsd} /> },
    { head: 'Estimated', isNumber: true, cell: ({ sums }) => <Usd of={sums.estimatedUsd} /> },
    { head: 'Share', isNumber: true, cell: ({ sums }) => shareOf(sums.costUsd, total.costUsd) },
  ];
  return (
    <>
      <DataTable
        caption={`Spending by ${by.join(', ')}`}
        heads={columns}
        rows={rows}
        keyOf={({ names }) => names.join('\n')}
        empty="No call was made in this range. Its cost will be here when the first one is."
      />
      {found > rows.length && (
        <p>
          The dearest {rows.length} of {found} rows; the total is of all. The CSV has the same rows.
        </p>
      )}
    </>
  );
}

function RowName({ names, asked }: { readonly names: readonly string[]; readonly asked: Asked }) {
  const [name = ''] = names;
  const text = names.map((one) => one || 'none').join(', ');
  const href = callsOf(asked, name);
  return <Long>{href === undefined ? text : <a href={href}>{text}</a>}</Long>;
}
