import { vi } from 'vitest';

/** Waits until a check passes. The limit is for a busy machine: no test is decided by it. */
export function waitFor<T>(check: () => T): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 5 });
}
