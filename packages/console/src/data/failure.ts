import { en } from '../text/en.ts';

export interface Failure {
  /** 0 without a response. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly now?: unknown;
}

export class RequestError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RequestError) return error.failure;
  return { status: 0, code: 'UNKNOWN', message: en.failure.unknown(String(error)) };
}

export function failureIn(status: number, body: unknown): Failure {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const { code, message, field, now } = error;
  return {
    status,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    message: typeof message === 'string' ? message : en.failure.status(status),
    ...(typeof field === 'string' && { field }),
    ...(now !== undefined && { now }),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
