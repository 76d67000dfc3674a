import type { Clock } from '../lib/clock.ts';
import type { Deadline } from '../lib/deadline.ts';
import type { Observer } from '../lib/observer.ts';
import { backoffMs, type RetryPolicy } from '../lib/retry.ts';
import type { ModelRequest } from '../platforms/model-request.ts';
import type { AttemptOptions, AttemptOutcome } from '../platforms/port.ts';
import type { Candidate } from './admission/admit.ts';
import { type AttemptRecord, bookAttempt } from './attempt-record.ts';
import { modelLabelOf } from './model-label.ts';
import type { GuardedModel } from './routing.ts';
import type { StreamFault } from './stream/call-stream.ts';

/** What a call came to upstream. */
export interface Generated {
  /** Of the last attempt, or of the one that was not made: then there are none. */
  readonly last: AttemptRecord;
  /** How many further maxima were held. */
  readonly extensions: number;
  /** In order. */
  readonly attempts: readonly AttemptRecord[];
}

/** What `generate` needs to know of one call. */
export interface GenerateRequest {
  readonly callId: string;
  readonly guarded: GuardedModel;
  readonly request: ModelRequest;
  readonly options: AttemptOptions;
  readonly candidate: Candidate;
  /** No attempt begins after it; one that runs is left running. */
  readonly deadline: Deadline;
  /** True once no caller waits for the answer, or one has some of it: nothing is tried again. */
  readonly isLast: () => boolean;
  /** Why the stream of an attempt did not come to its end; undefined where none is asked for. */
  readonly faultOf?: ((outcome: AttemptOutcome) => StreamFault | undefined) | undefined;
  /** Durably adds a further maximum to the hold; false when the budget has no room. */
  readonly extend: (extension: number) => Promise<boolean>;
}

/**
 * Asks the platform, and again where the outcome allows it, within the deadline. A back-off that
 * cannot end in time is not begun. Before an attempt that repeats one which may have been billed, a
 * further maximum is held. Nothing is sent to a platform that keeps failing, and in an outage few
 * things are sent twice. Source: specification, section 1; ledger, "who pays".
 */
export async function generate(parts: GenerateParts, request: GenerateRequest): Promise<Generated> {
  const { policy } = parts;
  const { guarded, options } = request;
  const attempts: AttemptRecord[] = [];
  let extensions = 0;
  const ended = (last: AttemptRecord): Generated => ({ last, attempts, extensions });
  while (true) {
    const entry = guarded.enter();
    if (entry.kind === 'refused') {
      return ended(attempts.at(-1) ?? refused(parts, request, entry.forMs));
    }
    const last = await attemptOnce(parts, request);
    attempts.push(last);
    observe(parts, request, last, attempts.length);
    const { outcome } = last;
    entry.leave(outcome, options.signal.aborted);
    if (outcome.kind === 'answered' || !outcome.isRetryable) return ended(last);
    if (attempts.length >= policy.attempts || request.isLast()) return ended(last);
    const waitMs = outcome.retryAfterMs ?? backoffMs(policy, attempts.length, parts.random());
    if (waitMs >= request.deadline.leftMs() || !guarded.takeRetry()) return ended(last);
    const hasWaited = await request.deadline.sleep(waitMs);
    if (!hasWaited || request.isLast() || guarded.isRefusing()) return ended(last);
    if (last.basis === 'free') continue;
    if (!(await request.extend(extensions + 1))) return ended(last);
    extensions += 1;
  }
}

/** What every call is asked with. */
export interface GenerateParts {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer: Pick<Observer, 'attemptEnded'>;
}

async function attemptOnce(
  { clock }: GenerateParts,
  { guarded, request, options, candidate, faultOf }: GenerateRequest,
): Promise<AttemptRecord> {
  const startedAt = clock.now();
  const startedMs = clock.monotonic();
  const outcome = await guarded.port.attempt(request, options);
  const tookMs = clock.monotonic() - startedMs;
  return bookAttempt({ candidate, outcome, fault: faultOf?.(outcome), startedAt, tookMs });
}

function observe(
  { observer }: GenerateParts,
  { callId }: GenerateRequest,
  { candidate: { model }, outcome, startedAt, tookMs }: AttemptRecord,
  number: number,
) {
  const isFailed = outcome.kind === 'failed';
  observer.attemptEnded?.({
    callId,
    number,
    model: modelLabelOf(model),
    platform: model.platform,
    outcome: isFailed ? outcome.code : 'answered',
    status: isFailed ? outcome.status : undefined,
    startedAt,
    tookMs,
  });
}

/** The record of an attempt that was not made. */
function refused(
  { clock }: GenerateParts,
  { candidate }: GenerateRequest,
  refusedForMs: number,
): AttemptRecord {
  const outcome = {
    ...({ kind: 'failed', code: 'SERVER', billed: 'no', isRetryable: false } as const),
    ...{ retryAfterMs: undefined, status: undefined, requestId: undefined, usage: undefined },
    refusedForMs,
    detail: 'not sent: the circuit is open',
  };
  return bookAttempt({ candidate, outcome, startedAt: clock.now(), tookMs: 0 });
}
