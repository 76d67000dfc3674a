import { StoreError, UnstorableError } from '../store/port.ts';

/** An operator's wish that cannot be granted: what is wrong, and what to do. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** True when the value is wrong whatever the store holds: wrong usage, not a refusal. */
  readonly isBadValue: boolean;
  /** True when there is nothing of the name or the id that was given. */
  readonly isUnknown: boolean;
  /** True where others may do it: its role does not let the asker. */
  readonly isForbidden: boolean;
  /** The field of the input that is wrong, where one is. */
  readonly field: string | undefined;
  /** A name that was probably meant, as a question: for those who may see all names. */
  readonly hint: string;
  /** The state that it has since another change; undefined for another reason. */
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

/** The error for a wrong value of a field. */
export function badValue(field: string, message: string): AdminError {
  return new AdminError(message, { isBadValue: true, field });
}

/** The result; undefined where the AdminError reports an unknown name or id. */
export async function unlessUnknown<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AdminError && error.isUnknown) return undefined;
    throw error;
  }
}

/** Why an operation was not done: a sentence for the operator, and what kind of reason it is. */
export interface AdminFailure {
  readonly message: string;
  /**
   * `usage`: the value is wrong whatever the store holds; `refused`: it cannot be done now; `away`:
   * the store could not do it.
   */
  readonly kind: 'usage' | 'refused' | 'away';
}

/** What an operator is told of an error; undefined for a bug. */
export function adminFailureOf(error: unknown): AdminFailure | undefined {
  if (error instanceof AdminError) {
    return { message: error.message, kind: error.isBadValue ? 'usage' : 'refused' };
  }
  if (error instanceof UnstorableError) return { message: error.message, kind: 'usage' };
  return error instanceof StoreError ? { message: error.message, kind: 'away' } : undefined;
}
