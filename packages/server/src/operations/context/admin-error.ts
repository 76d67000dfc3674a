import { orNearest } from '../../lib/nearest.ts';
import { StoreError, UnstorableError } from '../../store/port/port.ts';

/** The message contains the fault and the remedy. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** True: wrong usage whatever the store contains, not a rejection. */
  readonly isBadValue: boolean;
  readonly isUnknown: boolean;
  /** True: the session's role does not allow it, but other roles do. */
  readonly isForbidden: boolean;
  readonly field: string | undefined;
  /** Suggests the probable name, only to sessions that may see all names. */
  readonly hint: string;
  /** The current state, after another operator's change. */
  readonly now: object | undefined;
  constructor(
    message: string,
    options: {
      readonly isBadValue?: boolean;
      readonly isUnknown?: boolean;
      readonly isForbidden?: boolean;
      readonly field?: string;
      readonly hint?: string;
      readonly now?: object;
    } = {},
  ) {
    super(message);
    this.isBadValue = options.isBadValue === true;
    this.isUnknown = options.isUnknown === true;
    this.isForbidden = options.isForbidden === true;
    this.field = options.field;
    this.hint = options.hint ?? '';
    this.now = options.now;
  }
}

export function badValue(field: string, message: string): AdminError {
  return new AdminError(message, { isBadValue: true, field });
}

export async function unlessUnknown<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AdminError && error.isUnknown) return undefined;
    throw error;
  }
}

export interface AdminFailure {
  readonly message: string;
  /**
   * `usage`: wrong whatever the store contains; `refused`: not possible now; `away`: the store
   * failed.
   */
  readonly kind: 'usage' | 'refused' | 'away';
}

/** Undefined for a bug. */
export function adminFailureOf(error: unknown): AdminFailure | undefined {
  if (error instanceof AdminError) {
    return { message: error.message, kind: error.isBadValue ? 'usage' : 'refused' };
  }
  if (error instanceof UnstorableError) return { message: error.message, kind: 'usage' };
  return error instanceof StoreError ? { message: error.message, kind: 'away' } : undefined;
}

/** Throws an AdminError with `isBadValue` for an unknown platform. */
export function checkPlatformName(name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw unknownPlatform(name, known, { isBadValue: true, field: 'platform' });
}

export function unknownPlatform(
  name: string,
  known: readonly string[],
  options: ConstructorParameters<typeof AdminError>[1] = {},
): AdminError {
  const names = orNearest(name, known);
  return new AdminError(`unknown platform ${name}; the configuration has ${names}`, options);
}
