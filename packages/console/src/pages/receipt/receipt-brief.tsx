import type { Receipt } from '@model-gateway/server/operations/documents';
import { ExactUsd, When } from '../../parts/values.tsx';
import { CallState } from './call-state.tsx';
import { callerFacts, Facts, heldFact, idFacts, moreFacts } from './facts.tsx';
import { keyOfLine, partNote, partText, priceText, quantityOf } from './lines.ts';
import { TimeFlow } from './time-flow.tsx';
import { Verdict } from './verdict.tsx';

/** The receipt in a drawer: one figure, its parts, and the course of the call. */
export function ReceiptBrief({ shown }: { readonly shown: Receipt }) {
  const { call, totalUsd } = shown;
  return (
    <>
      <section>
        <p>
          <CallState of={shown} />
        </p>
        {call.state === 'running' ? (
          <>
            <p class="big held">
              ≤ <ExactUsd of={call.heldUsd} />
            </p>
            <p class="note">
              Reserved until <When at={call.expiresAt} />. The actual cost is booked when the call
              ends.
            </p>
          </>
        ) : (
          <>
            <p class="big">
              <ExactUsd of={totalUsd} />
            </p>
            <Sum of={shown} />
            <div class="gap">
              <Verdict of={shown} />
            </div>
          </>
        )}
      </section>
      {call.state === 'finished' && (
        <section>
          <h3>Time</h3>
          <TimeFlow call={call} />
        </section>
      )}
      <section>
        <h3>Details</h3>
        <Facts
          of={[
            ...callerFacts(shown),
            heldFact(shown),
            ...moreFacts(shown),
            ...idFacts(shown).filter(([term]) => term !== 'Call'),
          ]}
        />
      </section>
    </>
  );
}

/** Each part as `quantity × price` and its amount. */
function Sum({ of: shown }: { readonly of: Receipt }) {
  const { lines, totalUsd } = shown;
  if (lines.length === 0) return <p class="note">Nothing was billed.</p>;
  return (
    <table class="sum" aria-label="Cost items">
      <thead class="hide">
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Quantity × price</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={keyOfLine(line)}>
            <th scope="row" title={partNote(shown, line) || undefined}>
              {partText(line)}
            </th>
            <td class="n note">
              {[quantityOf(line)?.toLocaleString('en'), priceText(line)]
                .filter(Boolean)
                .join(' × ')}
            </td>
            <td class="n">
              <ExactUsd of={line.usd} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td />
          <td class="n">
            <ExactUsd of={totalUsd} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
