import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import process from 'node:process';
import type { Clock } from './clock.ts';
import { createLineWriter, type LineWriter } from './line-writer.ts';

const standardError = 2;

/** Call once per process: lines that wait at the end are written then. */
export function openStandardError(parts: {
  readonly clock: Clock;
  readonly lossLine: (linesLost: number) => string;
}): LineWriter {
  // Asking for it also makes a pipe or a socket one that never blocks.
  const isTerminal = process.stderr.isTTY === true;
  const descriptor = openWithoutBlocking();
  const writer = createLineWriter({
    ...parts,
    // A person sees a line at once.
    gatherMs: isTerminal ? 0 : 200,
    write: (bytes, done) => write(descriptor, bytes, done),
    writeNow: (bytes) => writeSync(descriptor, bytes),
  });
  process.on('exit', writer.end);
  return writer;
}

/**
 * A write to a full pipe or a stopped terminal would block the thread and the process's end. A
 * reopened descriptor has a mode that no other process can change.
 */
function openWithoutBlocking(): number {
  try {
    if (fstatSync(standardError).isFile()) return standardError;
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync(`/proc/self/fd/${standardError}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A socket, another user's pipe, or no such folder: the descriptor as it is.
    return standardError;
  }
}
