import {
  AdminError,
  type AdminFailure,
  adminFailureOf,
} from '../operations/context/admin-error.ts';
import { printable } from '../operations/description/text-lines.ts';
import { UsageError } from './process/usage-error.ts';

/** Rethrows a bug. */
export function failureOf(error: unknown): AdminFailure {
  const { message, kind } = plainFailureOf(error);
  return { message: message.split('\n').map(printable).join('\n'), kind };
}

function plainFailureOf(error: unknown): AdminFailure {
  if (error instanceof UsageError) return { message: error.message, kind: 'usage' };
  const failure = adminFailureOf(error);
  if (failure !== undefined && error instanceof AdminError && error.hint !== '') {
    return { ...failure, message: `${failure.message}; ${error.hint}` };
  }
  if (failure !== undefined) return failure;
  if (isSystemError(error)) return { message: error.message, kind: 'refused' };
  throw error;
}

/** For example a folder without write permission, which is not a bug. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
