import { createHmac } from 'node:crypto';
import { createIdempotencyKey, type IdempotencyKey } from './idempotency-key.ts';

/** The keys of a request that was sent without one, in an app that adopts retries. */
export interface Adoption {
  /** Whether its client says that it repeats a request. */
  readonly isRetry: boolean;
  /** Equal requests at once take one each; the same ones for all equal requests. */
  readonly keys: readonly IdempotencyKey[];
}

/** How long a result that was not waited for can be claimed. */
export const adoptableMs = 120_000;

/** More equal requests than this at once are calls that no retry can take up. */
const keysMax = 8;

const noBytes = new Uint8Array(0);

/**
 * Makes the keys of a request: of the API key as it was presented, so that what is kept is closed
 * to all who read the store, and of all that makes the call another one.
 */
export function createAdoption(parts: {
  readonly apiKey: string;
  /** Method, path, query, headers. */
  readonly head: readonly (string | undefined)[];
  readonly body: Uint8Array;
  readonly isRetry: boolean;
}): Adoption {
  const { apiKey, head, body, isRetry } = parts;
  const hash = createHmac('sha256', apiKey).update(JSON.stringify(head)).update('\n').update(body);
  const digest = hash.digest('base64url');
  const keys = Array.from({ length: keysMax }, (_, slot) =>
    createIdempotencyKey({ key: `${digest} ${slot}`, method: '', path: '', body: noBytes }),
  );
  return { isRetry, keys };
}
