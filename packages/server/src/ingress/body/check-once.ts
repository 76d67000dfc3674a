import { CallError } from '../../calls/model/call-error.ts';
import type { RequestHead } from '../exchange/dialect.ts';

/** With two lines, a proxy might read one and the service the other. */
export function checkOnce(request: RequestHead, name: string): void {
  if (request.isRepeated(name)) throw repeated(name);
}

export function repeated(name: string): CallError {
  return new CallError('INVALID', `The header ${name} was sent more than once; send it once.`);
}
