import { AdminError } from '../admin/admin-error.ts';
import { StoreError } from '../store/port.ts';
import { printable } from './print.ts';
import { UsageError } from './usage-error.ts';

/** Why a command failed, for the operator: a sentence, and whose fault it is. */
export interface Failure {
  readonly message: string;
  readonly kind: 'usage' | 'refused';
}

/** What to tell of an error that a command ended with. Throws it again when it is a bug. */
export function failureOf(error: unknown): Failure {
  const { message, kind } = plainFailureOf(error);
  return { message: message.split('\n').map(printable).join('\n'), kind };
}

function plainFailureOf(error: unknown): Failure {
  if (error instanceof UsageError) return { message: error.message, kind: 'usage' };
  if (error instanceof AdminError) {
    return { message: error.message, kind: error.isBadValue ? 'usage' : 'refused' };
  }
  if (error instanceof StoreError || isSystemError(error)) {
    return { message: error.message, kind: 'refused' };
  }
  throw error;
}

/** What the operating system refused, such as a folder that may not be written: no bug of ours. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
