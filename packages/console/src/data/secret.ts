import { removeStored, store, stored } from './storage.ts';

// On loopback, browsers send the session's cookie to every port of the machine. They restrict a
// page's storage to its origin: the session needs both.

const key = 'mg-secret';

export function secretHeader(): Readonly<Record<string, string>> {
  const secret = stored(key);
  return secret === undefined ? {} : { 'x-console-secret': secret };
}

/** Null for a session without one. */
export function storeSecret(secret: string | null): void {
  if (secret === null) removeStored(key);
  else store(key, secret);
}

/** From behind the `#` after a company login; removed from the address. */
export function takeSecret(): string | undefined {
  const [, secret] = /^#secret=(\w+)$/.exec(location.hash) ?? [];
  if (secret !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return secret;
}
