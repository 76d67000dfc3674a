/** A log that keeps nothing, for commands and tests. */
export const silentLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
  request: () => undefined,
};
