import process from 'node:process';
import type { Clock } from '../lib/clock.ts';

/** Whether the process reads from a terminal, or writes to one. */
export function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true);
}

/** A terminal sends Ctrl-C to npm, a launcher and the service, and some of them pass it on. */
const sameKeyPressMs = 500;

/**
 * Resolves at the first SIGTERM or SIGINT, and at SIGHUP where that tells the end of a terminal; a
 * second one ends the process at once. Nothing that was answered is lost by that: it was on the
 * disk before, and what ran is ended by the next start.
 */
export function stopSignal(clock: Clock, onTerminal = hasTerminal()): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstMs === undefined) {
        firstMs = clock.monotonic();
        resolve();
        return;
      }
      if (signal === 'SIGINT' && clock.monotonic() - firstMs < sameKeyPressMs) return;
      process.exit(1);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    if (onTerminal) process.on('SIGHUP', onSignal);
  });
}
