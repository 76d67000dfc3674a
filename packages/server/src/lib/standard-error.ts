import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import process from 'node:process';
import type { Clock } from './clock.ts';
import { createLineWriter, type LineWriter } from './line-writer.ts';

const standardError = 2;

/** Opens standard error for lines. Once in a process: what waits at its end is written then. */
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
 * A write to a full pipe, or to a stopped terminal, would hold a thread, and with it the end of the
 * process. The same place opened again has a mode that no other process can change.
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
