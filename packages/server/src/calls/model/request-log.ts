import type { KeyRejection } from '../../domain/key-rejection.ts';
import type { LimitReason, StreamEnd } from '../../lib/request-facts.ts';

/** Never contains a prompt, an answer or a key. */
export interface RequestLog {
  /** 12 characters, not part of the secret. */
  keyId: string | undefined;
  app: string | undefined;
  keyRejection: KeyRejection | undefined;
  limitedBy: LimitReason | undefined;
  traceId: string | undefined;
  recordedTraceId: string | undefined;
  model: string | undefined;
  servedBy: string | undefined;
  callId: string | undefined;
  code: string | undefined;
  isWaiting: boolean | undefined;
  attempts: number | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  costUsd: string | null | undefined;
  estimated: boolean | undefined;
  route: string | undefined;
  /** Cause of an INTERNAL, and the platform's text; for operators only. */
  cause: string | undefined;
  /** Might quote the caller's input, so no log line contains it. */
  message: string | undefined;
  /** Admission and reservation; the other two are platform and settlement. */
  reserveMs: number | undefined;
  modelMs: number | undefined;
  settleMs: number | undefined;
  /** Time to a stream's first content; then piece count and ending. */
  firstMs: number | undefined;
  deltas: number | undefined;
  end: StreamEnd | undefined;
}

/** A template to copy, so all logs share one object shape. */
export const emptyRequestLog: Readonly<RequestLog> = {
  keyId: undefined,
  app: undefined,
  keyRejection: undefined,
  limitedBy: undefined,
  traceId: undefined,
  recordedTraceId: undefined,
  model: undefined,
  servedBy: undefined,
  callId: undefined,
  code: undefined,
  isWaiting: undefined,
  attempts: undefined,
  inputTokens: undefined,
  outputTokens: undefined,
  costUsd: undefined,
  estimated: undefined,
  route: undefined,
  cause: undefined,
  message: undefined,
  reserveMs: undefined,
  modelMs: undefined,
  settleMs: undefined,
  firstMs: undefined,
  deltas: undefined,
  end: undefined,
};

export function createRequestLog(): RequestLog {
  return { ...emptyRequestLog };
}
