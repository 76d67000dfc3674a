import process from 'node:process';
import type { Clock } from '../lib/clock.ts';

/** A terminal sends Ctrl-C to npm, a launcher and the service, and some of them pass it on. */
const sameKeyPressMs = 500;

/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. Nothing that was
 * answered is lost by that: it was on the disk before, and what ran is ended by the next start.
 */
export function stopSignal(clock: Clock): Promise<void> {
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
  });
}
