import type { Receipt } from '@model-gateway/server/operations/documents';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { type Read, useRead } from '../data/read.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Shown } from '../parts/shown.tsx';
import { Id } from '../parts/values.tsx';
import { useMay } from '../shell/who.ts';
import { CorrectDialog } from './correct-dialog.tsx';
import { ReceiptView } from './receipt-view.tsx';

/** Any id of the call finds it. */
export function ReceiptPage() {
  const { id = '' } = useRoute().params;
  const receipt = useRead<Receipt>(`/calls/${encodeURIComponent(id)}`);
  useOwnAddress(id, receipt);
  return (
    <>
      <PageHead title="Receipt" note={<Id of={receipt.data?.call.id ?? id} />} />
      <Shown of={receipt}>
        {(shown) => (
          <>
            <ReceiptView shown={shown} />
            <Actions shown={shown} again={receipt.again} />
          </>
        )}
      </Shown>
    </>
  );
}

function Actions({ shown, again }: { readonly shown: Receipt; readonly again: () => void }) {
  const { call } = shown;
  const mayCorrect = useMay('money');
  return (
    <div class="actions">
      {mayCorrect && call.state === 'finished' && <CorrectDialog call={call} onChanged={again} />}
      <CopyButton text={JSON.stringify(shown, null, 2)} what="the receipt" label="Copy as JSON" />
      {call.state === 'finished' && (
        <button type="button" onClick={again}>
          Verify
        </button>
      )}
    </div>
  );
}

/** A call found by a request's id gets its own address. */
function useOwnAddress(id: string, { data }: Read<Receipt>): void {
  const { route } = useLocation();
  const own = data?.call.id;
  useEffect(() => {
    if (own !== undefined && own !== id) route(`/console/calls/${own}`, true);
  }, [own, id, route]);
}
