import type { KeyRejection } from '../../domain/key-rejection.ts';
import type { LimitReason, StreamEnd } from '../../lib/request-facts.ts';

/** What one request's log line says; filled on its way, never with a prompt, an answer or a key. */
export interface RequestLog {
  /** The 12 characters that name the key, and are no part of its secret. */
  keyId: string | undefined;
  app: string | undefined;
  /** Why its key was rejected. */
  keyRejection: KeyRejection | undefined;
  /** Which limit refused it, where the code does not say. */
  limitedBy: LimitReason | undefined;
  /** The trace that the request is in. */
  traceId: string | undefined;
  /** The same, where spans of the request are recorded. */
  recordedTraceId: string | undefined;
  model: string | undefined;
  /** The model of an alias that was asked last. */
  servedBy: string | undefined;
  callId: string | undefined;
  code: string | undefined;
  /** True while the request waits for another one with the same key. */
  isWaiting: boolean | undefined;
  attempts: number | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  costUsd: string | null | undefined;
  estimated: boolean | undefined;
  /** The name of its route in metrics, where it has another than that of its row. */
  route: string | undefined;
  /** Why an INTERNAL happened, and what the platform said: for operators alone. */
  cause: string | undefined;
  /** What a refused caller is told: it may quote what the caller sent, so no line has it. */
  message: string | undefined;
  /** Milliseconds of admission and reservation, of the platform, of the settlement. */
  reserveMs: number | undefined;
  modelMs: number | undefined;
  settleMs: number | undefined;
  /** Of a stream: milliseconds to its first content, how many pieces it had, and how it ended. */
  firstMs: number | undefined;
  deltas: number | undefined;
  end: StreamEnd | undefined;
}

/** The first values of a log, to be copied, so that all logs have one shape. */
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

/** A log that says nothing yet. */
export function createRequestLog(): RequestLog {
  return { ...emptyRequestLog };
}
