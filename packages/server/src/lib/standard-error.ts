import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import process from 'node:process';
import type { Clock } from './clock.ts';
import { createLineWriter, type LineWriter } from './line-writer.ts';

const standardError = 2;

/** Call once per process, because exit then writes the waiting lines. */
export function openStandardError(parts: {
  readonly clock: Clock;
  readonly lossLine: (linesLost: number) => string;
}): LineWriter {
  // Reading this property also makes a pipe or a socket non-blocking.
  const isTerminal = process.stderr.isTTY === true;
  const descriptor = openWithoutBlocking();
  const writer = createLineWriter({
    ...parts,
    // A person reads each line at once.
    gatherMs: isTerminal ? 0 : 200,
    write: (bytes, done) => write(descriptor, bytes, done),
    writeNow: (bytes) => writeSync(descriptor, bytes),
  });
  process.on('exit', writer.end);
  return writer;
}

/**
 * Writing to a full pipe or a stopped terminal would block the thread and the process's end. No
 * other process can change the mode of a reopened descriptor.
 */
function openWithoutBlocking(): number {
  try {
    if (fstatSync(standardError).isFile()) return standardError;
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${standardError}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // For a socket, another user's pipe, or a missing folder, use the descriptor as it is.
    return standardError;
  }
}
