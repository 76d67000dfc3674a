import { CallError } from '../../calls/model/call-error.ts';
import { hasNul, nulProblem } from '../../lib/nul.ts';

/** Throws INVALID for an invalid escape or U+0000. */
export function pathParameter(sent = ''): string {
  const decoded = decode(sent);
  if (!hasNul(decoded)) return decoded;
  throw new CallError('INVALID', `The path ${nulProblem}.`);
}

function decode(sent: string): string {
  try {
    return decodeURIComponent(sent);
  } catch {
    throw new CallError('INVALID', 'The path contains a "%" that is not a valid UTF-8 escape.');
  }
}
