import { statusFailure } from '../../packages/sdk/src/call/failure.ts';
import { decideRetry } from '../../packages/sdk/src/call/retry.ts';
import type { refuse } from '../../packages/server/src/ingress/dialects/gateway/refuse.ts';

/** The code of a response in the client, and whether the client retries its call. */
export function seenByClient({ status, body, headers }: ReturnType<typeof refuse>) {
  const failure = statusFailure({ status, headers: new Headers(headers), text: body, epochMs: 0 });
  const state = { failure, attempts: 1, maxAttempts: 3, remainingMs: 120_000, random: () => 0 };
  return { code: failure.code, retried: decideRetry(state) === undefined ? 'no' : 'yes' };
}
