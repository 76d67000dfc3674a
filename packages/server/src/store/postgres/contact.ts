import { ownerDeadMs } from '../../books/owner.ts';
import type { Clock } from '../../lib/clock.ts';

/** Whether this process has been in touch with the server all the time. */
export interface Contact {
  /** Says that the server was found away, or a connection broken. */
  lost(): void;
  /**
   * True until owners had the time to say that they live: while the server was away, none could.
   */
  isShaken(): boolean;
}

/** In touch from now on. */
export function createContact(clock: Clock): Contact {
  let lostAtMs: number | undefined;
  return {
    lost() {
      lostAtMs = clock.monotonic();
    },
    isShaken: () => lostAtMs !== undefined && clock.monotonic() - lostAtMs < ownerDeadMs,
  };
}
