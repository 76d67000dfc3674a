import type { Clock } from '../lib/clock.ts';
import type { Store } from '../store/port.ts';
import { holdLease, leaveLease } from '../store/queries/leases.ts';

/** Which of several processes does what only one does at a time. */
export interface Lease {
  /** Takes it, or takes it on; false while another process has it. Throws a StoreError. */
  hold(): Promise<boolean>;
  /** Whether it is held now: not if it was not taken on for so long that another may have it. */
  isHeld(): boolean;
  /** Another process may take it at once. */
  leave(): Promise<void>;
}

/** Three rounds: a process that was killed keeps others away for so long. */
const leaseMs = 15_000;

/** A lease of this name; a process that has its store for itself always has it. */
export function createLease(parts: {
  readonly store: Pick<Store, 'isShared' | 'write'>;
  readonly clock: Clock;
  readonly name: string;
  readonly holder: string;
}): Lease {
  const { store, clock, name, holder } = parts;
  const isSole = !store.isShared;
  let untilMs = isSole ? Number.POSITIVE_INFINITY : 0;
  return {
    async hold() {
      if (isSole) return true;
      const askedMs = clock.monotonic();
      const [taken] = await store.write([holdLease(name, holder, clock.now(), leaseMs)]);
      untilMs = taken === 1 ? askedMs + leaseMs : 0;
      return taken === 1;
    },
    isHeld: () => clock.monotonic() < untilMs,
    async leave() {
      untilMs = 0;
      if (!isSole) await store.write([leaveLease(name, holder)]);
    },
  };
}
