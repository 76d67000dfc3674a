import { vi } from 'vitest';
import { pollMs, waitMsMax } from '../../../../harness/until.ts';

/** Waits until a check passes. */
export function waitFor<T>(check: () => T): Promise<T> {
  return vi.waitFor(check, { timeout: waitMsMax, interval: pollMs });
}
