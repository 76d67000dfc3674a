import type { Receipt } from '@model-gateway/server/operations/documents';
import { Badge } from '../../parts/badge.tsx';
import { Status } from '../../parts/status.tsx';
import { Duration, When } from '../../parts/values.tsx';

/** The call's end and the certainty of its cost, in words; then its time and duration. */
export function CallState({ of: { call, matches } }: { readonly of: Receipt }) {
  if (call.state === 'running') {
    return (
      <>
        <Badge tone="held">Running</Badge>{' '}
        <span class="note">
          since <When at={call.startedAt} />
        </span>
      </>
    );
  }
  const retries = call.attempts.length - 1;
  return (
    <>
      <Status of={call.code} />{' '}
      {call.basis === 'estimated' && (
        <Badge tone="warn" title={call.estimateReason ?? undefined}>
          Estimated
        </Badge>
      )}{' '}
      {call.corrections.length > 0 && <Badge tone="accent">Corrected</Badge>}{' '}
      {!matches && <Badge tone="bad">Cost mismatch</Badge>}{' '}
      <span class="note">
        <When at={call.startedAt} /> · <Duration ms={call.tookMs} />
        {retries > 0 && ` · ${retries} ${retries === 1 ? 'retry' : 'retries'}`}
      </span>
    </>
  );
}
