import { METHODS } from 'node:http';

const methods: ReadonlySet<string> = new Set(METHODS);

/** A method that HTTP has, or `other`: an unknown method is the caller's own text. */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
