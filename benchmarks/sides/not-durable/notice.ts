/** What the preload writes once it has taken the place of the statement. */
export const durabilityIsOff = 'benchmark: commits do not wait for the disk';
