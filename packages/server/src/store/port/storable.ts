import { hasNul } from '../../lib/nul.ts';
import { type Statement, type Store, UnstorableError } from './port.ts';

/** Rejects texts with U+0000: only one engine stores them, and both must return the same. */
export function storable<Checked extends Pick<Store, 'read' | 'readForOperator' | 'write'>>(
  store: Checked,
): Checked {
  const { read, readForOperator, write } = store;
  return {
    ...store,
    read: (query) => (isStorable(query) ? read(query) : reject()),
    readForOperator: (query) => (isStorable(query) ? readForOperator(query) : reject()),
    write: (statements) => (statements.every(isStorable) ? write(statements) : reject()),
  };
}

function isStorable({ values, line }: Statement): boolean {
  return (
    values.every(isFreeOfNul) && (line === undefined || Object.values(line).every(isFreeOfNul))
  );
}

function isFreeOfNul(value: unknown): boolean {
  return typeof value !== 'string' || !hasNul(value);
}

function reject(): Promise<never> {
  return Promise.reject(new UnstorableError());
}
