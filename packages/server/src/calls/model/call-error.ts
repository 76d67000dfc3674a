import type { ApiErrorCode, ErrorReason } from '@model-gateway/contract';

export interface ApiErrorDetails {
  /** As sent; on model errors. */
  readonly model?: string | undefined;
  /** Its path. */
  readonly param?: string | undefined;
  /** The platform's id. */
  readonly requestId?: string | undefined;
  /** For API formats with more error classes. */
  readonly platformStatus?: number | undefined;
  /** The platform's rejection, where it is a known reason. */
  readonly reason?: ErrorReason | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** As the header writes it. */
  readonly budgetScope?: string | undefined;
  /** False overrides the retry that the code usually allows. */
  readonly shouldRetry?: false | undefined;
  /** A retry without a key may claim the result. */
  readonly isAdoptable?: true | undefined;
  /** Undefined where nothing is booked. */
  readonly costUsd?: string | undefined;
  /** Comes from another request with the same key. */
  readonly isReplayed?: true | undefined;
  /** Only logged. */
  readonly cause?: unknown;
}

/**
 * The only error class. The message explains fault and remedy; the cause is logged, never answered.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: ApiErrorCode;
  readonly details: ApiErrorDetails;
  constructor(code: ApiErrorCode, message: string, details: ApiErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}
