/** The preload's output after it has replaced the statement. */
export const durabilityIsOff = 'benchmark: commits do not wait for the disk';
