import type { Receipt } from '@model-gateway/server/operations/documents';
import { BudgetBar } from '../../parts/budget-bar.tsx';
import { Card } from '../../parts/card.tsx';
import { Day, ExactUsd, Name, Usd } from '../../parts/values.tsx';
import { shareOf } from '../../text/money.ts';
import { Facts } from './facts.tsx';

/** Reserved before the call − booked = released. */
export function BudgetFlow({ of: { budget, call } }: { readonly of: Receipt }) {
  if (budget === null) return null;
  const { heldUsd, bookedUsd, freedUsd } = budget;
  return (
    <Card title="Budget">
      <Facts
        of={[
          ['Reserved before the call', heldUsd && <ExactUsd of={heldUsd} />],
          [
            'Booked',
            <>
              − <ExactUsd of={bookedUsd} />
            </>,
          ],
          [
            'Released',
            freedUsd && (
              <b>
                <ExactUsd of={freedUsd} />
              </b>
            ),
          ],
        ]}
      />
      {heldUsd !== null && (
        <>
          <p class="gap">
            <BudgetBar
              label="Used share of the reservation"
              {...{ spentUsd: bookedUsd, heldUsd: '0', capUsd: heldUsd }}
              isTall
            />
          </p>
          <p class="note gap">{shareOf(bookedUsd, heldUsd)} of the reservation was used.</p>
        </>
      )}
      <DayNow budget={budget} app={call.app} day={call.day} />
    </Card>
  );
}

interface DayProps {
  readonly budget: NonNullable<Receipt['budget']>;
  readonly app: string;
  readonly day: string;
}

function DayNow({ budget: { dayCapUsd, daySpentUsd, dayHeldUsd }, app, day }: DayProps) {
  return (
    <p class="note">
      <Day of={day} /> UTC of <Name of={app} /> now: spent <Usd of={daySpentUsd} />
      {dayCapUsd === null ? (
        ', no budget'
      ) : (
        <>
          {' '}
          of <Usd of={dayCapUsd} />
        </>
      )}
      , reserved <Usd of={dayHeldUsd} />.
    </p>
  );
}
