import type { Refusal } from '@model-gateway/server/operations/documents';
import { withQuery } from '../../data/with-query.ts';
import { Card } from '../../parts/card.tsx';
import { RefusedRow } from '../../parts/refused-row.tsx';
import { Empty } from '../../parts/states.tsx';

interface RefusalsProps {
  readonly app: string;
  readonly refusals: readonly Refusal[];
}

export function Refusals({ app, refusals }: RefusalsProps) {
  const reasons = byReason(refusals);
  return (
    <Card
      title="Rejected in the last 24 hours"
      span={5}
      aside={
        reasons.length > 0 && (
          <a class="note" href={withQuery('/console/calls', { app, failed: 'true' })}>
            Failed calls
          </a>
        )
      }
      isFlush
    >
      {reasons.length === 0 ? (
        <Empty icon="done" title="No rejected requests">
          <p>Requests rejected by a budget, rate limit or allowlist are counted here.</p>
        </Empty>
      ) : (
        <ul class="list">
          {reasons.map((reason) => (
            <RefusedRow
              key={reason.code}
              of={reason}
              href={withQuery('/console/calls', { app, code: reason.code })}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** All hours of a reason as one, most first; the first is the newest. */
function byReason(refusals: readonly Refusal[]): readonly Refusal[] {
  const reasons = new Map<string, Refusal>();
  for (const refusal of refusals) {
    const newer = reasons.get(refusal.code);
    const count = refusal.count + (newer?.count ?? 0);
    reasons.set(refusal.code, { ...(newer ?? refusal), count });
  }
  return [...reasons.values()].toSorted((a, b) => b.count - a.count);
}
