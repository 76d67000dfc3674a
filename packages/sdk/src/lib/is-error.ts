import { isObject } from './is-record.ts';

/**
 * An error of any realm: test runners give code a global object of its own. Of another realm only
 * an error made by the language counts, and nothing that merely says that it is one.
 */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  if (!isObject(value) || Symbol.toStringTag in value) return false;
  return Object.prototype.toString.call(value) === '[object Error]';
}
