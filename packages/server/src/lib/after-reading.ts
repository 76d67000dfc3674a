/**
 * Runs it as soon as what is being read has been read: all that one socket has for now, and all
 * that follows from it without waiting. Not later, since other sockets may have much to read.
 */
export function afterReading(run: () => void) {
  process.nextTick(run);
}
