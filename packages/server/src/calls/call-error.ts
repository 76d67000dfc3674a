import { type ApiErrorCode, apiErrors, type ErrorBody, headerNames } from '@model-gateway/contract';
import type { Answer } from './answer.ts';

/** What an ApiError may carry besides its code and its sentence. */
export interface ApiErrorDetails {
  /** The model's id as the caller sent it; on model errors. */
  readonly model?: string | undefined;
  /** The platform's id of the request, when it was reached. */
  readonly requestId?: string | undefined;
  /** Seconds, for the `retry-after` header. */
  readonly retryAfterSeconds?: number | undefined;
  /** False where the client must not try again although the code usually allows it. */
  readonly shouldRetry?: false | undefined;
  /** What is booked for the call, for the header `x-cost-usd`; undefined where nothing is. */
  readonly costUsd?: string | undefined;
  /** True for the outcome of an earlier or running request with the same key. */
  readonly isReplayed?: true | undefined;
  /** For the log alone. */
  readonly cause?: unknown;
}

/**
 * The server's one error class: a code of the contract, and a sentence for people that says what is
 * wrong and what to do. The cause is logged, never answered.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly details: ApiErrorDetails;
  constructor(code: ApiErrorCode, message: string, details: ApiErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}

/** The HTTP answer of an error. Source: contract, sections 1 and 4. */
export function errorAnswer(error: ApiError): Answer {
  const { requestId, model, retryAfterSeconds, costUsd } = error.details;
  const { status } = apiErrors[error.code];
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      ...(requestId === undefined ? {} : { requestId }),
      ...(model === undefined ? {} : { model }),
    },
  };
  const headers: Record<string, string> = {};
  if (!mayRetry(error, status)) headers[headerNames.shouldRetry] = 'false';
  if (error.details.isReplayed === true) headers[headerNames.idempotentReplayed] = 'true';
  if (costUsd !== undefined) headers[headerNames.costUsd] = costUsd;
  if (retryAfterSeconds !== undefined) {
    headers[headerNames.retryAfter] = String(Math.ceil(retryAfterSeconds));
  }
  return { status, body: JSON.stringify(body), headers };
}

function mayRetry(error: ApiError, status: number): boolean {
  if (error.details.shouldRetry === false) return false;
  return error.code === 'THROTTLED' || (status >= 500 && status !== 501);
}
