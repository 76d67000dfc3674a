import type { GatewayErrorName } from '@model-gateway/contract';
import { CallError } from '../../calls/model/call-error.ts';
import type { RequestLog } from '../../calls/model/request-log.ts';
import { nulProblem } from '../../lib/nul.ts';
import type { LimitReason } from '../../lib/request-facts.ts';
import { StoreError, UnstorableError } from '../../store/port/port.ts';

export interface GatewayRefusal {
  readonly kind: 'refused';
  readonly name: GatewayErrorName;
  readonly retryAfterSeconds?: number | undefined;
  /** A retry without a key may claim the ended call. */
  readonly isAdoptable?: boolean;
}

export type Refusal = GatewayRefusal | CallError;

export function refused(name: GatewayErrorName, retryAfterSeconds?: number): GatewayRefusal {
  return { kind: 'refused', name, retryAfterSeconds };
}

export const full = refused('TOO_MANY_REQUESTS', 1);

export function limited(
  log: RequestLog,
  reason: LimitReason,
  retryAfterSeconds = 1,
): GatewayRefusal {
  log.limitedBy = reason;
  return refused('TOO_MANY_REQUESTS', retryAfterSeconds);
}

/** Every error except CallError becomes INTERNAL. Only the log gets the details. */
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
    return new CallError('INVALID', `The request ${nulProblem}.`);
  }
  const message = 'The gateway had an internal error; try again in a moment.';
  return new CallError('INTERNAL', message, {
    retryAfterSeconds: error instanceof StoreError ? 1 : undefined,
  });
}

/** An error might contain a prompt, so only its first characters are logged. */
function clip(error: Error): string {
  return (error.stack ?? error.message).slice(0, 1_000);
}
