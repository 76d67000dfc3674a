import { getPriority, setPriority } from 'node:os';

/**
 * Yields to other threads if processors are few. Linux sets priority per thread; elsewhere it would
 * slow the whole process, calls included.
 */
export function lowerThreadPriority() {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(19, getPriority() + 10));
  } catch {
    // If a sandbox forbids it, all threads share the processor equally.
  }
}
