import { isObject } from './is-record.ts';

/**
 * An error of any realm: test runners give code its own global object. From another realm only the
 * language's own errors count, not objects that merely claim to be errors.
 */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  if (!isObject(value) || Symbol.toStringTag in value) return false;
  return Object.prototype.toString.call(value) === '[object Error]';
}
