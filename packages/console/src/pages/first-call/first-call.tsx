import type { Overview, Receipt } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { useRead } from '../../data/read.ts';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Scrolling } from '../../parts/scrolling.tsx';
import { Shown } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { ReceiptView } from '../receipt/receipt-view.tsx';

export function FirstCall({ shown }: { readonly shown: Overview }) {
  const { firstCall, lastCall, hasSampleKeys } = shown;
  const [id, setId] = useState(lastCall);
  if (id === null && lastCall !== null) setId(lastCall);
  return (
    <>
      <output class="hide">
        {id === null ? 'Waiting for the first call' : 'First call received'}
      </output>
      {id === null ? (
        <Waiting line={firstCall} hasSampleKeys={hasSampleKeys} />
      ) : (
        <FirstReceipt id={id} />
      )}
    </>
  );
}

interface WaitingProps {
  readonly line: string;
  readonly hasSampleKeys: boolean;
}

function Waiting({ line, hasSampleKeys }: WaitingProps) {
  return (
    <Card title="First call" isFlush>
      <Empty icon="calls" title="Waiting for the first call">
        <p>
          {hasSampleKeys
            ? 'Send a call with a key that the first start printed. Its receipt appears here.'
            : 'Send a call with an API key of an app. Its receipt appears here.'}
        </p>
        <Scrolling label="Shell command">
          <pre>
            <code>{line}</code>
          </pre>
        </Scrolling>
        <div class="row">
          <CopyButton text={line} what="the command" />
          <a class="button" href="/console/keys">
            Go to Keys
          </a>
        </div>
      </Empty>
    </Card>
  );
}

function FirstReceipt({ id }: { readonly id: string }) {
  const receipt = useRead<Receipt>(`/calls/${encodeURIComponent(id)}`);
  return (
    <Shown of={receipt}>
      {(shown) => (
        <section class="stack">
          <h2>Receipt of the first call</h2>
          <ReceiptView shown={shown} />
        </section>
      )}
    </Shown>
  );
}
