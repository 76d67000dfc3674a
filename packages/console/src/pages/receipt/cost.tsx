import type { Receipt, ReceiptLine } from '@model-gateway/server/operations/documents';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/column.ts';
import { Empty } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Count, ExactUsd, When } from '../../parts/values.tsx';
import { keyOfLine, partNote, partText, priceText, quantityOf } from './lines.ts';
import { Verdict } from './verdict.tsx';

interface CostProps {
  readonly shown: Receipt;
  readonly again: (() => void) | undefined;
}

/** Quantity × price = amount, line by line. */
export function Cost({ shown, again }: CostProps) {
  const { call, lines } = shown;
  if (call.state === 'running') {
    return (
      <Card title="Cost">
        <p>
          The call is running. Reserved: at most <ExactUsd of={call.heldUsd} /> until{' '}
          <When at={call.expiresAt} />. Its actual cost is booked when it ends.
        </p>
      </Card>
    );
  }
  const version = call.price?.version;
  return (
    <Card
      title="Cost"
      isFlush
      aside={version && <span class="note">Price version {version}, USD per million tokens</span>}
    >
      <Table
        caption="Cost items"
        columns={columnsOf(shown)}
        rows={lines}
        keyOf={keyOfLine}
        totalLabel="Total"
        empty={
          <Empty icon="done" title="Nothing was billed">
            <p>No platform billed this call.</p>
          </Empty>
        }
      />
      <div class="body gap">
        <Verdict of={shown} again={again} />
      </div>
    </Card>
  );
}

function columnsOf(shown: Receipt): readonly Column<ReceiptLine>[] {
  const { lines, totalUsd } = shown;
  const tokens = lines.reduce((sum, line) => sum + (line.tokens ?? 0), 0);
  return [
    {
      ...{ id: 'part', head: 'Item', narrow: 1 },
      cell: (line) => (
        <>
          <span class="strong">{partText(line)}</span>{' '}
          <span class="note">{partNote(shown, line)}</span>
        </>
      ),
    },
    {
      ...{ id: 'quantity', head: 'Tokens', isNumber: true, narrow: 3 },
      cell: (line) => (
        <>
          <Count of={quantityOf(line)} />
          {line.tokens !== null && <span class="narrow"> tokens</span>}
        </>
      ),
      total: tokens > 0 && <Count of={tokens} />,
    },
    {
      ...{ id: 'price', head: 'Price', isNumber: true, narrow: 4 },
      cell: (line) => {
        const price = priceText(line);
        return price === undefined ? '–' : `× ${price}`;
      },
    },
    {
      ...{ id: 'amount', head: 'Amount', isNumber: true, narrow: 2 },
      cell: ({ usd }) => <ExactUsd of={usd} />,
      total: <ExactUsd of={totalUsd} />,
    },
  ];
}
