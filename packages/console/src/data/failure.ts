import { en } from '../en.ts';

/** Why something could not be had or done, as the service says it. */
export interface Failure {
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The field of what was asked that is wrong, where it is one. */
  readonly field?: string | undefined;
  /** What it is by now, where another change came first. */
  readonly now?: unknown;
}

/** An answer that is no success, or none at all. */
export class RequestError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The failure behind anything that was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestError) return error.failure;
  return { status: 0, code: 'UNKNOWN', message: en.failure.unknown(String(error)) };
}

/** The failure that the body of an answer tells; one of its own where it tells none. */
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
