/**
 * Runs after all available data of one socket is read and handled. Waiting longer would include
 * other sockets, which may have much to read.
 */
export function afterReading(run: () => void) {
  process.nextTick(run);
}
