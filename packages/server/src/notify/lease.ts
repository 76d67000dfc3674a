import type { Clock } from '../lib/clock.ts';
import type { Store } from '../store/port/port.ts';
import { holdLease, leaveLease } from '../store/queries/leases.ts';

export interface Lease {
  /** Acquires or renews the lease; false while another process has it. Throws a StoreError. */
  hold(): Promise<boolean>;
  /** False once the lease has expired without renewal, since another process may have it. */
  isHeld(): boolean;
  /** Another process may acquire it at once. */
  leave(): Promise<void>;
}

/** Three rounds: after a process is killed, the others wait this long. */
const leaseMs = 15_000;

/** A process that does not share its store always has the lease. */
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
      const requestedAtMs = clock.monotonic();
      const [changedRows] = await store.write([holdLease(name, holder, clock.now(), leaseMs)]);
      untilMs = changedRows === 1 ? requestedAtMs + leaseMs : 0;
      return changedRows === 1;
    },
    isHeld: () => clock.monotonic() < untilMs,
    async leave() {
      untilMs = 0;
      if (!isSole) await store.write([leaveLease(name, holder)]);
    },
  };
}
