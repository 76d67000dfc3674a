import process from 'node:process';
import type { Clock } from '../lib/clock.ts';

export function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true);
}

/** A terminal sends Ctrl-C to npm, a launcher and the service, and some of them forward it. */
const sameKeyPressMs = 500;

/**
 * Resolves at the first SIGTERM or SIGINT, or a terminal's SIGHUP. A second one exits at once:
 * responses are already on disk, and the next startup settles running calls.
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
