import type { GatewayErrorName } from '@model-gateway/contract';
import { CallError } from '../../calls/model/call-error.ts';
import type { RequestLog } from '../../calls/model/request-log.ts';
import { holdsNul } from '../../lib/nul.ts';
import type { LimitReason } from '../../lib/request-facts.ts';
import { StoreError, UnstorableError } from '../../store/port.ts';

/** A refusal of the gateway's own, of a request that comes to no call. */
export interface GatewayRefusal {
  readonly kind: 'refused';
  readonly name: GatewayErrorName;
  readonly retryAfterSeconds?: number | undefined;
  /** Whether a retry without a key may take up what it ended. */
  readonly isAdoptable?: boolean;
}

/** Why a request has no other answer. */
export type Refusal = GatewayRefusal | CallError;

/** A refusal of the gateway's own. */
export function refused(name: GatewayErrorName, retryAfterSeconds?: number): GatewayRefusal {
  return { kind: 'refused', name, retryAfterSeconds };
}

/** There is no permit: one may be free in a second. */
export const full = refused('TOO_MANY_REQUESTS', 1);

/** A request that must wait, for a second where it is not known for how long. */
export function limited(
  log: RequestLog,
  reason: LimitReason,
  retryAfterSeconds = 1,
): GatewayRefusal {
  log.limitedBy = reason;
  return refused('TOO_MANY_REQUESTS', retryAfterSeconds);
}

/**
 * What a request is refused with that ended with `error`: a CallError as it is, anything else as
 * INTERNAL. The request's log is told what happened; the caller gets nothing but code and sentence.
 */
export function caughtRefusal(error: unknown, log: RequestLog): CallError {
  const known = error instanceof CallError ? error : undefined;
  const cause = known === undefined ? error : known.cause;
  if (cause !== undefined) log.cause = cause instanceof Error ? clip(cause) : String(cause);
  const refusal = known ?? unexpected(error);
  log.code = refusal.code;
  log.message = refusal.message;
  return refusal;
}

function unexpected(error: unknown): CallError {
  if (error instanceof UnstorableError) {
    return new CallError('INVALID', `The request ${holdsNul}.`);
  }
  const message = 'Something went wrong in the gateway; try again in a moment.';
  return new CallError('INTERNAL', message, {
    retryAfterSeconds: error instanceof StoreError ? 1 : undefined,
  });
}

/** An error object may carry a prompt, so only its first lines are kept. */
function clip(error: Error): string {
  return (error.stack ?? error.message).slice(0, 1_000);
}
