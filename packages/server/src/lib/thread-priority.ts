import { getPriority, setPriority } from 'node:os';

/**
 * Lets the process's other threads go first where processors are few, however nice the process is.
 * Linux has a priority for each thread; elsewhere it is the whole process's, which a call must not
 * lose.
 */
export function letOthersGoFirst() {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(19, getPriority() + 10));
  } catch {
    // Where a sandbox forbids it, all threads share the processor as equals.
  }
}
