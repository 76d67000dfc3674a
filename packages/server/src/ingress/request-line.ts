import type { GatewayErrorName } from '@model-gateway/contract';
import type { RequestLog } from '../calls/request-log.ts';

/** A request that was answered, for those who count. */
export interface AnsweredRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly tookMs: number;
  /** The client's network. */
  readonly remote: string | undefined;
  readonly requestLog: RequestLog;
  /** Which of the gateway's own answers it was. */
  readonly refusal: GatewayErrorName | undefined;
}

/** The fields of its line in the log. They are named one by one: a copy of all costs twice. */
export function requestLine(requestId: string, request: AnsweredRequest): object {
  const { method, path, status, tookMs, remote, requestLog, refusal } = request;
  return {
    requestId,
    method,
    path: path.slice(0, 200),
    status,
    tookMs: toMicroseconds(tookMs),
    remote,
    keyId: requestLog.keyId,
    app: requestLog.app,
    model: requestLog.model,
    callId: requestLog.callId,
    code: refusal ?? requestLog.code,
    isWaiting: requestLog.isWaiting,
    attempts: requestLog.attempts,
    inputTokens: requestLog.inputTokens,
    outputTokens: requestLog.outputTokens,
    costUsd: requestLog.costUsd,
    estimated: requestLog.estimated,
    cause: requestLog.cause,
    reserveMs: toMicroseconds(requestLog.reserveMs),
    modelMs: toMicroseconds(requestLog.modelMs),
    settleMs: toMicroseconds(requestLog.settleMs),
  };
}

/** Milliseconds with three decimals: what is behind them nobody can measure. */
function toMicroseconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 1_000) / 1_000;
}
