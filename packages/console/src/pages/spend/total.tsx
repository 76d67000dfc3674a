import type { Spend } from '@model-gateway/server/operations/documents';
import { differenceUsd } from '../../amounts.ts';
import { Count, ExactUsd, Usd } from '../../parts/values.tsx';

export function SpendTotal({ spend }: { readonly spend: Spend }) {
  const { total, before, forecast } = spend;
  return (
    <section class="totals" aria-label="Total">
      <p>
        <strong>
          Total <ExactUsd of={total.costUsd} />
        </strong>{' '}
        · <Count of={total.calls} /> calls · of which estimated <Usd of={total.estimatedUsd} />
      </p>
      {before !== undefined && (
        <p>
          {before.from} to {before.to}: <Usd of={before.total.costUsd} /> · difference{' '}
          <Usd of={differenceUsd(total.costUsd, before.total.costUsd)} />
        </p>
      )}
      {forecast !== undefined && (
        <details>
          <summary>
            Forecast for the range <Usd of={forecast.usd} />
          </summary>
          {forecast.basis}
        </details>
      )}
    </section>
  );
}
