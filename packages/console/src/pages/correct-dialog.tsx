import type { CallCorrected, CallDocument } from '@model-gateway/server/operations/documents';
import { useState } from 'preact/hooks';
import { sendChange } from '../data/operations.ts';
import { ChangeDialog } from '../parts/change-dialog.tsx';
import { ExactUsd } from '../parts/values.tsx';

interface CorrectProps {
  readonly call: CallDocument;
  readonly onChanged: () => void;
}

/** Where the new cost is far above the hold, the id must be typed too. */
export function CorrectDialog({ call: { id, costUsd }, onChanged }: CorrectProps) {
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
