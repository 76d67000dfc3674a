import type { CallDocument } from '@model-gateway/server/operations/documents';
import { Card } from '../../parts/card.tsx';
import { ExactUsd, Name, When } from '../../parts/values.tsx';

/** Who changed the cost, from which amount to which, and why. */
export function Corrections({ corrections }: Pick<CallDocument, 'corrections'>) {
  if (corrections.length === 0) return null;
  return (
    <Card title="Corrections" isFlush>
      <ul class="list">
        {corrections.map(({ at, actor, fromUsd, toUsd, reason }) => (
          <li key={at}>
            <div>
              <ExactUsd of={fromUsd} /> → <ExactUsd of={toUsd} />
              {reason !== null && ` – ${reason}`}
              <p class="note">
                <Name of={actor} />, <When at={at} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
