import { orNearest } from '../../lib/nearest.ts';
import { AdminError } from '../admin-error.ts';

/** Throws the AdminError for a name that no platform of the configuration has; a bad value. */
export function checkPlatform(name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw unknownPlatform(name, known, { isBadValue: true, field: 'platform' });
}

/** The error for a name that no platform of the configuration has. */
export function unknownPlatform(
  name: string,
  known: readonly string[],
  options: ConstructorParameters<typeof AdminError>[1] = {},
): AdminError {
  const names = orNearest(name, known);
  return new AdminError(`there is no platform ${name}; the configuration has ${names}`, options);
}
