import assert from 'node:assert';
import type { FallbackReason } from '../../domain/model.ts';
import { otherModels } from '../../ledger/usage-names.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Deadline } from '../../lib/deadline.ts';
import type { Observer } from '../../lib/observer.ts';
import { backoffMs, type RetryPolicy } from '../../lib/retry.ts';
import type { ModelRequest } from '../../platforms/model/model-request.ts';
import type { AttemptOptions, AttemptOutcome } from '../../platforms/model/port.ts';
import { type Entry, healthSignalOf } from '../../platforms/outage/circuit.ts';
import type { StreamFault } from '../model/call-stream.ts';
import type { Candidate } from '../model/candidate.ts';
import type { FailedAttempt } from '../model/failure.ts';
import type { AttemptRecord, Generated } from '../model/generated.ts';
import type { RequestLog } from '../model/request-log.ts';
import type { RoutedModel } from '../model/route.ts';
import { bookAttempt, bookedPicoUsd } from './attempt-record.ts';

export interface Target extends RoutedModel {
  readonly candidate: Candidate;
  readonly request: ModelRequest;
  readonly options: AttemptOptions;
}

export interface GenerateRequest {
  readonly callId: string;
  readonly first: Target;
  readonly targetAt: (position: number) => Target | undefined;
  readonly fallbackOn: readonly FallbackReason[];
  /** True once the caller has disconnected or received output: no retry follows. */
  readonly isLast: () => boolean;
  readonly faultOf?: ((outcome: AttemptOutcome) => StreamFault | undefined) | undefined;
  /** Live state. No attempt starts after the deadline; a running attempt continues. */
  readonly running: {
    readonly deadline: Deadline;
    candidate: Candidate;
    requestId: string | undefined;
    readonly heldPicoUsd: bigint;
  };
  readonly aliasLog: Pick<RequestLog, 'servedBy'> | undefined;
  /** Durable. False if the remaining budget is too small. */
  readonly extend: (extension: number, amount: bigint) => Promise<boolean>;
}

/**
 * Retries, then falls back to the alias's next model, within the deadline. Reserves another maximum
 * before any attempt that follows a possibly billed one. Circuits and retry budgets limit the
 * attempts. Specification, section 1; ledger, "who pays"; ADR 0046.
 */
export async function generate(parts: GenerateParts, request: GenerateRequest): Promise<Generated> {
  const { clock } = parts;
  const { running } = request;
  const progress: Progress = { parts, request, attempts: [], extensions: 0, isOwed: false };
  const { attempts } = progress;
  let position: Position | undefined = { number: 0, target: request.first, tries: 0 };
  let refusal: AttemptRecord | undefined;
  while (position !== undefined) {
    const { target } = position;
    const entry = target.breaker.circuit.enter();
    if (entry.kind === 'refused') {
      const skipped = recordRefusedAttempt(parts, target, entry);
      refusal ??= skipped;
      position = await positionAfter(progress, position, skipped.outcome);
      continue;
    }
    const { candidate, options } = target;
    const startedAt = clock.now();
    const startedMs = clock.monotonic();
    // From here on, output comes from this model; an earlier request id belongs to another attempt.
    running.candidate = candidate;
    running.requestId = undefined;
    if (request.aliasLog !== undefined) request.aliasLog.servedBy = candidate.model.id;
    const outcome = await target.port.attempt(target.request, options);
    // The request id may be only in the body.
    running.requestId = outcome.requestId;
    const tookMs = clock.monotonic() - startedMs;
    const fault = request.faultOf?.(outcome);
    const last = bookAttempt({ candidate, outcome, fault, startedAt, tookMs });
    attempts.push(last);
    position.tries += 1;
    progress.isOwed ||= last.basis !== 'free';
    const { model } = candidate;
    const failed = outcome.kind === 'failed' ? outcome : undefined;
    parts.observer.attemptEnded?.({
      callId: request.callId,
      number: attempts.length,
      model: model.isListed ? model.id : otherModels,
      platform: model.platform,
      outcome: failed?.code ?? 'answered',
      ...{ status: failed?.status, account: failed?.account, unusable: failed?.unusable },
      ...{ startedAt, tookMs },
    });
    const response = failed === undefined ? 'usable' : failed.unusable;
    entry.leave(healthSignalOf(outcome, options.signal.aborted), response);
    if (failed === undefined || request.isLast()) break;
    position = await positionAfter(progress, position, failed);
  }
  const last = attempts.at(-1) ?? refusal;
  assert(last !== undefined, 'a call has at least one model');
  return { last, attempts, heldPicoUsd: running.heldPicoUsd };
}

interface Progress {
  readonly parts: GenerateParts;
  readonly request: GenerateRequest;
  readonly attempts: AttemptRecord[];
  extensions: number;
  /** The last attempt might be billed, and nothing was reserved since. */
  isOwed: boolean;
}

interface Position {
  readonly number: number;
  readonly target: Target;
  tries: number;
}

async function positionAfter(
  progress: Progress,
  position: Position,
  outcome: AttemptOutcome,
): Promise<Position | undefined> {
  if (outcome.kind === 'answered') return undefined;
  const { request } = progress;
  const mayFall = mayFallBack(request, outcome);
  const next = mayFall ? fallbackPosition(progress, position) : undefined;
  const again = await waitForRetry(progress, position, { outcome, hasNext: next !== undefined });
  if (again === 'over') return undefined;
  const chosen = again === 'waited' ? position : next;
  if (chosen === undefined) return undefined;
  if (chosen !== position && !maySend(progress, chosen)) return undefined;
  return (await holdFor(progress, chosen)) ? chosen : undefined;
}

function mayFallBack(
  { fallbackOn }: GenerateRequest,
  { code, isOwnFault }: FailedAttempt,
): boolean {
  if (isOwnFault === true) return false;
  if (code === 'THROTTLED') return fallbackOn.includes('throttled');
  if (code === 'AUTH') return fallbackOn.includes('account');
  return code === 'SERVER' && fallbackOn.includes('server');
}

function fallbackPosition(
  { request }: Progress,
  { number: before }: Position,
): Position | undefined {
  for (let number = before + 1; ; number += 1) {
    const target = request.targetAt(number);
    if (target === undefined) return undefined;
    if (!target.breaker.circuit.isRefusing()) return { number, target, tries: 0 };
  }
}

/**
 * `over`: no more attempts; `no`: continue with the next model. With a next model, one retry is
 * enough, and no wait exceeds `capMs`.
 */
async function waitForRetry(
  { parts, request }: Progress,
  { target, tries }: Position,
  { outcome, hasNext }: { readonly outcome: FailedAttempt; readonly hasNext: boolean },
): Promise<'waited' | 'no' | 'over'> {
  const { policy } = parts;
  const { deadline } = request.running;
  const triesMax = hasNext ? Math.min(2, policy.attempts) : policy.attempts;
  if (!outcome.isRetryable || tries === 0 || tries >= triesMax) return 'no';
  const waitMs = outcome.retryAfterMs ?? backoffMs(policy, tries, parts.random());
  const isTooLong = hasNext && waitMs > policy.capMs;
  if (isTooLong || waitMs >= deadline.remainingMs() || !takeRetry(target)) return 'no';
  const hasWaited = await deadline.sleep(waitMs);
  if (!hasWaited || request.isLast()) return 'over';
  return target.breaker.circuit.isRefusing() ? 'no' : 'waited';
}

/** A platform that this call has already called uses its retry budget. */
function maySend({ request, attempts }: Progress, { target }: Position): boolean {
  if (request.isLast() || request.running.deadline.remainingMs() <= 0) return false;
  const { candidate, options } = target;
  // A canceled call must end.
  if (options.signal.aborted) return false;
  const { platform } = candidate.model;
  const wasTried = attempts.some((attempt) => attempt.candidate.model.platform === platform);
  return !wasTried || takeRetry(target);
}

function takeRetry({ breaker: { circuit, retries } }: Target): boolean {
  // The retry budget comes last, because `take` spends it.
  return !circuit.isRefusing() && retries.take();
}

/**
 * Extends the reservation after a possibly billed attempt, or if it does not cover the next model.
 * False if the remaining budget is too small.
 */
async function holdFor(progress: Progress, { number, target }: Position): Promise<boolean> {
  const { request, attempts, isOwed } = progress;
  const { amountPicoUsd: amount } = target.candidate.bound;
  // An extension for a cheaper model might not cover this model.
  const isCovered = number === 0 || bookedPicoUsd(attempts) + amount <= request.running.heldPicoUsd;
  if (!isOwed && isCovered) return true;
  if (!(await request.extend(progress.extensions + 1, amount))) return false;
  progress.extensions += 1;
  progress.isOwed = false;
  return true;
}

export interface GenerateParts {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer: Pick<Observer, 'attemptEnded'>;
}

function recordRefusedAttempt(
  { clock }: GenerateParts,
  { candidate }: Target,
  { forMs: refusedForMs, unusable }: Extract<Entry, { kind: 'refused' }>,
): AttemptRecord {
  const outcome = {
    ...({ kind: 'failed', code: 'SERVER', billed: 'no', isRetryable: false } as const),
    ...{ retryAfterMs: undefined, status: undefined, requestId: undefined, usage: undefined },
    ...{ refusedForMs, ...(unusable && { unusable }) },
    detail: 'not sent: the circuit is open',
  };
  return bookAttempt({ candidate, outcome, startedAt: clock.now(), tookMs: 0 });
}
