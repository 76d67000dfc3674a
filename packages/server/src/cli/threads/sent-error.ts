import { CompositionError } from '../../compose/composition-error.ts';
import {
  AdminError,
  type AdminFailure,
  adminFailureOf,
} from '../../operations/context/admin-error.ts';
import { UsageError } from '../process/usage-error.ts';

/** Errors lose their class between threads. */
export interface SentError {
  readonly message: string;
  readonly stack: string | undefined;
  /** Undefined for a bug. */
  readonly kind: AdminFailure['kind'] | undefined;
}

export function sentError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const isUsage = error instanceof UsageError || error instanceof CompositionError;
  return { message, stack, kind: isUsage ? 'usage' : adminFailureOf(error)?.kind };
}

/** The error has a class that operators see in the same way. */
export function receivedError({ message, stack, kind }: SentError): Error {
  switch (kind) {
    case 'usage':
      return new UsageError(message);
    case 'refused':
    case 'away':
      return new AdminError(message);
    default: {
      const error = new Error(message);
      if (stack !== undefined) error.stack = stack;
      return error;
    }
  }
}
