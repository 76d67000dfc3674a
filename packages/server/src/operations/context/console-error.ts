import { AdminError, adminFailureOf } from './admin-error.ts';

export const errorStatuses = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  CROSS_SITE: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NOT_ALLOWED_METHOD: 405,
  TIMED_OUT: 408,
  CONFLICT: 409,
  CHANGED: 412,
  TOO_LARGE: 413,
  TOO_LONG: 414,
  MISDIRECTED: 421,
  LIMITED: 429,
  INTERNAL: 500,
  AWAY: 502,
  STORE_AWAY: 503,
} as const;
export type ErrorCode = keyof typeof errorStatuses;

export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  /** The current state, for `CHANGED`. */
  readonly now: object | undefined;
  constructor(
    code: ErrorCode,
    message: string,
    more: { readonly field?: string; readonly now?: object } = {},
  ) {
    super(message);
    this.code = code;
    this.field = more.field;
    this.now = more.now;
  }
}

/** Undefined for a bug. */
export function consoleErrorOf(error: unknown): ConsoleError | undefined {
  if (error instanceof ConsoleError) return error;
  if (error instanceof AdminError && error.isUnknown) {
    return new ConsoleError('NOT_FOUND', error.message);
  }
  if (error instanceof AdminError && error.isForbidden) {
    return new ConsoleError('FORBIDDEN', error.message);
  }
  if (error instanceof AdminError && error.now !== undefined) {
    return new ConsoleError('CHANGED', error.message, { now: error.now });
  }
  const failure = adminFailureOf(error);
  if (error instanceof AdminError && error.isBadValue && error.field !== undefined) {
    const { field, message } = error;
    return new ConsoleError('INVALID', `${field}: ${message}`, { field });
  }
  if (failure === undefined) return undefined;
  if (failure.kind === 'away') return new ConsoleError('STORE_AWAY', failure.message);
  return new ConsoleError(failure.kind === 'usage' ? 'INVALID' : 'CONFLICT', failure.message);
}
