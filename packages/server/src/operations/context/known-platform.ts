import { orNearest } from '../../lib/nearest.ts';
import { AdminError } from './admin-error.ts';

/** Throws an AdminError, a bad value, for an unknown platform. */
export function checkPlatform(name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw unknownPlatform(name, known, { isBadValue: true, field: 'platform' });
}

export function unknownPlatform(
  name: string,
  known: readonly string[],
  options: ConstructorParameters<typeof AdminError>[1] = {},
): AdminError {
  const names = orNearest(name, known);
  return new AdminError(`there is no platform ${name}; the configuration has ${names}`, options);
}
