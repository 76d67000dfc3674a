import type { Bound } from '../admission/bound.ts';
import type { CatalogModel } from '../catalog/catalog.ts';
import type { Clock } from '../lib/clock.ts';
import type { Deadline } from '../lib/deadline.ts';
import { backoffMs, type RetryPolicy } from '../lib/retry.ts';
import type { AttemptOutcome, AttemptRequest } from '../platforms/port.ts';
import { type AttemptRecord, bookAttempt } from './attempts.ts';

/** One attempt at the platform: never throws, never retries. */
export type Attempt = (request: AttemptRequest) => Promise<AttemptOutcome>;

/** What a call came to upstream: its attempts in order, at least one. */
export interface Generated {
  readonly last: AttemptRecord;
  readonly attempts: readonly AttemptRecord[];
}

/** What `generate` needs to know of one call. */
export interface GenerateRequest {
  readonly attempt: AttemptRequest;
  readonly model: CatalogModel;
  readonly bound: Bound;
  /** No attempt begins after it; one that runs is left running. */
  readonly deadline: Deadline;
  /** True once nobody waits for the answer: then nothing is tried again. */
  readonly isLeft: () => boolean;
  /** Durably adds a further maximum to the hold; false when the budget has no room. */
  readonly extend: (extension: number) => Promise<boolean>;
}

/**
 * Asks the platform, and again where the outcome allows it, within the deadline. A back-off that
 * cannot end in time is not begun. Before an attempt that repeats one which may have been billed, a
 * further maximum is held. Source: specification, section 1; ledger, "who pays".
 */
export async function generate(
  parts: { attempt: Attempt; policy: RetryPolicy; clock: Clock; random: () => number },
  request: GenerateRequest,
): Promise<Generated> {
  const { clock, policy } = parts;
  const { deadline, bound } = request;
  const attempts: AttemptRecord[] = [];
  for (let extensions = 0; ; ) {
    const startedAt = clock.now();
    const startedMs = clock.monotonic();
    const outcome = await parts.attempt(request.attempt);
    const tookMs = clock.monotonic() - startedMs;
    const { price } = request.model;
    const last = bookAttempt({ outcome, bound, price, startedAt, tookMs });
    attempts.push(last);
    if (outcome.kind === 'answered' || !outcome.isRetryable) return { last, attempts };
    if (attempts.length >= policy.attempts || request.isLeft()) return { last, attempts };
    const waitMs = outcome.retryAfterMs ?? backoffMs(policy, attempts.length, parts.random());
    if (!(await deadline.sleep(waitMs)) || request.isLeft()) return { last, attempts };
    if (outcome.billed === 'unknown' && !(await request.extend(++extensions))) {
      return { last, attempts };
    }
  }
}
