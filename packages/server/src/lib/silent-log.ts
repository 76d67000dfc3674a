import type { Log } from './log.ts';

/** A log that keeps nothing, for commands and tests. */
export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
  request: () => undefined,
};
