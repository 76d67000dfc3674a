import type { Overview, Receipt } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { useRead } from '../data/read.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Scrolling } from '../parts/scrolling.tsx';
import { Shown } from '../parts/shown.tsx';
import { ReceiptView } from './receipt-view.tsx';

export function FirstCall({ shown: { firstCall, lastCall } }: { readonly shown: Overview }) {
  const [id, setId] = useState(lastCall);
  if (id === null && lastCall !== null) setId(lastCall);
  return (
    <section class="first-call">
      <h2>{id === null ? 'Make a first call' : 'The first call'}</h2>
      {id === null && (
        <>
          <p>Each calling service has an API key; the start printed those of the sample.</p>
          <Scrolling label="A line for a shell">
            <pre>
              <code>{firstCall}</code>
            </pre>
          </Scrolling>
          <CopyButton text={firstCall} what="the line" />
        </>
      )}
      <output>
        {id === null
          ? 'Waiting for the first call… It appears here when it has come.'
          : 'It came. This is its receipt.'}
      </output>
      {id !== null && <FirstReceipt id={id} />}
    </section>
  );
}

function FirstReceipt({ id }: { readonly id: string }) {
  const receipt = useRead<Receipt>(`/calls/${encodeURIComponent(id)}`);
  return <Shown of={receipt}>{(shown) => <ReceiptView shown={shown} />}</Shown>;
}
