import type { Clock } from '../../lib/clock.ts';
import type { ServerClock } from '../port/port.ts';

/**
 * `ask` returns milliseconds since 1970. The monotonic clock bridges two answers: a step of this
 * machine's clock changes nothing.
 */
export function createServerClock(clock: Clock, ask: () => Promise<number>): ServerClock {
  let known: { readonly epochMs: number; readonly atMs: number } | undefined;
  return {
    skewMs: () => (known === undefined ? 0 : epochMsAt(known, clock.monotonic()) - clock.now()),
    async measure() {
      const sentMs = clock.monotonic();
      const epochMs = await ask();
      const uncertainMs = (clock.monotonic() - sentMs) / 2;
      const atMs = sentMs + uncertainMs;
      // A slow answer tells little: what is known stands until it is refuted.
      const isRefuted =
        known === undefined || Math.abs(epochMsAt(known, atMs) - epochMs) > uncertainMs;
      if (isRefuted) known = { epochMs, atMs };
    },
  };
}

function epochMsAt(known: { epochMs: number; atMs: number }, monotonicMs: number): number {
  return known.epochMs + monotonicMs - known.atMs;
}
