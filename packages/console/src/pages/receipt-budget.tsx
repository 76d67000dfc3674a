import type {
  CallDocument,
  HoldDocument,
  Receipt,
} from '@model-gateway/server/operations/documents';
import { ExactUsd } from '../parts/values.tsx';

interface BudgetProps {
  readonly of: NonNullable<Receipt['budget']>;
  readonly call: CallDocument | HoldDocument;
}

export function Budget({ of: budget, call: { app, day } }: BudgetProps) {
  const { heldUsd, bookedUsd, freedUsd, dayCapUsd, daySpentUsd, dayHeldUsd } = budget;
  return (
    <section>
      <h2>Budget</h2>
      <p>
        {heldUsd !== null && (
          <>
            Held <ExactUsd of={heldUsd} /> →{' '}
          </>
        )}
        booked <ExactUsd of={bookedUsd} />
        {freedUsd !== null && (
          <>
            , free again <ExactUsd of={freedUsd} />
          </>
        )}
      </p>
      <p class="note">
        {day} of {app} now: spent <ExactUsd of={daySpentUsd} />
        {dayCapUsd === null ? (
          ', no budget'
        ) : (
          <>
            {' '}
            of <ExactUsd of={dayCapUsd} />
          </>
        )}
        , held <ExactUsd of={dayHeldUsd} />. What it had left when the call came is in no record.
      </p>
    </section>
  );
}
