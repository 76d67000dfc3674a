import type { ApiErrorCode, ErrorReason } from '@model-gateway/contract';

export interface ApiErrorDetails {
  readonly model?: string | undefined;
  readonly param?: string | undefined;
  /** The platform's id. */
  readonly requestId?: string | undefined;
  readonly platformStatus?: number | undefined;
  readonly reason?: ErrorReason | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly budgetScope?: string | undefined;
  /** False overrides the retry that the code usually allows. */
  readonly shouldRetry?: false | undefined;
  /** A retry without a key may claim the result. */
  readonly isAdoptable?: true | undefined;
  readonly costUsd?: string | undefined;
  readonly isReplayed?: true | undefined;
  /** Only logged. */
  readonly cause?: unknown;
}

/**
 * The only error class. The message explains the fault and the remedy; the cause is logged, never
 * sent.
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
