/**
 * Runs after all that one socket has for now is read and handled. Waiting longer would include
 * other sockets, which may have much to read.
 */
export function afterReading(run: () => void) {
  process.nextTick(run);
}
