import { createHmac } from 'node:crypto';
import { createIdempotencyKey, type IdempotencyKey } from './idempotency-key.ts';

/** For a request without a key, in an app that adopts retries. */
export interface Adoption {
  /** Reported by the client. */
  readonly isRetry: boolean;
  /** The same list for equal requests; each concurrent request uses another key. */
  readonly keys: readonly IdempotencyKey[];
}

export const adoptableMs = 120_000;

const keysMax = 8;

const noBytes = new Uint8Array(0);

/**
 * Derives keys from the presented API key, so the store's readers cannot open stored results, and
 * from all that distinguishes the call.
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
