import type {
  CallCorrected,
  CallDocument,
  Receipt,
} from '@model-gateway/server/operations/documents';
import { useEffect, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { sendChange } from '../data/operations.ts';
import { type Read, useRead } from '../data/read.ts';
import { useMay } from '../data/who.ts';
import { ChangeDialog } from '../parts/change-dialog.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Shown } from '../parts/shown.tsx';
import { ExactUsd, Id } from '../parts/values.tsx';
import { ReceiptView } from './receipt-view.tsx';

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

interface CorrectProps {
  readonly call: CallDocument;
  readonly onChanged: () => void;
}

/** Where the new cost is far above the hold, the id must be typed too. */
function CorrectDialog({ call: { id, costUsd }, onChanged }: CorrectProps) {
  const [isLarge, setLarge] = useState(false);
  return (
    <ChangeDialog<CallCorrected>
      label="Correct the cost"
      title="Correct the cost"
      verb="Correct"
      operation="calls correct"
      asks={{ usd: { label: 'What it cost, in USD', value: costUsd, hint: undefined } }}
      confirm={isLarge ? id : undefined}
      send={async ({ values: { usd }, common }) => {
        const corrected = await sendChange<CallCorrected>('calls correct', { id, usd }, common);
        setLarge(corrected.result?.isLarge === true);
        return corrected;
      }}
      preview={({ result }) =>
        result !== null && (
          <p>
            <ExactUsd of={result.costUsd} /> becomes <ExactUsd of={result.usd} />
            {result.isLarge && ', which is more than ten times what was held'}
          </p>
        )
      }
      onChanged={onChanged}
    />
  );
}
