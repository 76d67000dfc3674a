import type { Receipt } from '@model-gateway/server/operations/documents';
import { Badge } from '../../parts/badge.tsx';
import { Status } from '../../parts/status.tsx';
import { Duration, When } from '../../parts/values.tsx';

/** How the call ended and how sure its cost is, in words; then when, and how long it took. */
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
