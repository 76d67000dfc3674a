import type { Receipt } from '@model-gateway/server/operations/documents';
import { Alert } from '../../parts/states.tsx';
import { ExactUsd } from '../../parts/values.tsx';

interface VerdictProps {
  readonly of: Receipt;
  readonly again?: (() => void) | undefined;
}

/**
 * Whether tokens × price, recomputed by the service now, equals the booked cost, and the
 * differences.
 */
export function Verdict({ of: { matches, totalUsd, remarks }, again }: VerdictProps) {
  return (
    <>
      <Alert
        tone={matches ? 'good' : 'bad'}
        actions={
          again && (
            <button type="button" class="small" onClick={again}>
              Recompute
            </button>
          )
        }
      >
        <b>{matches ? 'Cost verified.' : 'Cost mismatch.'}</b> Recomputed tokens × price:{' '}
        <ExactUsd of={totalUsd} />.{' '}
        {matches
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
