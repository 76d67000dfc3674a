import type { GatewayErrorName } from '@model-gateway/contract';
import type { Trace } from '../calls/request-log.ts';

/** A request that was answered, for those who count. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly tookMs: number;
  /** The client's network. */
  readonly remote: string | undefined;
  readonly trace: Trace;
  /** Which of the gateway's own answers it was. */
  readonly refusal: GatewayErrorName | undefined;
}

/** The fields of its line in the log. They are named one by one: a copy of all costs twice. */
export function requestLine(requestId: string, request: AnsweredRequest): object {
  const { method, path, status, tookMs, remote, trace, refusal } = request;
  return {
    requestId,
    method,
    path: path.slice(0, 200),
    status,
    tookMs: toMicroseconds(tookMs),
    remote,
    keyId: trace.keyId,
    app: trace.app,
    model: trace.model,
    callId: trace.callId,
    code: refusal ?? trace.code,
    isWaiting: trace.isWaiting,
    attempts: trace.attempts,
    inputTokens: trace.inputTokens,
    outputTokens: trace.outputTokens,
    costUsd: trace.costUsd,
    estimated: trace.estimated,
    cause: trace.cause,
    reserveMs: toMicroseconds(trace.reserveMs),
    modelMs: toMicroseconds(trace.modelMs),
    settleMs: toMicroseconds(trace.settleMs),
  };
}

/** Milliseconds with three decimals: what is behind them nobody can measure. */
function toMicroseconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 1_000) / 1_000;
}
