import type { Receipt } from '@model-gateway/server/operations/documents';
import { Alert } from '../../parts/states.tsx';
import { ExactUsd } from '../../parts/values.tsx';

interface VerdictProps {
  readonly of: Receipt;
  readonly again?: (() => void) | undefined;
}

/** Whether tokens × price, recomputed by the service now, are what was booked; and what is not. */
export function Verdict({ of: { addsUp, totalUsd, remarks }, again }: VerdictProps) {
  return (
    <>
      <Alert
        tone={addsUp ? 'good' : 'bad'}
        actions={
          again && (
            <button type="button" class="small" onClick={again}>
              Recompute
            </button>
          )
        }
      >
        <b>{addsUp ? 'Cost verified.' : 'Cost mismatch.'}</b> Recomputed tokens × price:{' '}
        <ExactUsd of={totalUsd} />.{' '}
        {addsUp
          ? 'It matches the booked amount.'
          : 'It differs from the booked amount. Run the ledger audit.'}
      </Alert>
      {remarks.map((remark) => (
        <div key={remark} class="gap">
          <Alert tone="warn">{remark}</Alert>
        </div>
      ))}
    </>
  );
}
