import { CallError } from '../../calls/call-error.ts';

/** A part of a path as it is meant. Throws INVALID for one that no escape can have made. */
export function pathParameter(sent = ''): string {
  try {
    return decodeURIComponent(sent);
  } catch {
    throw new CallError('INVALID', 'The path holds a percent sign that is no UTF-8 escape.');
  }
}
