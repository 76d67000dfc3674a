import type { Clock, Timer } from './clock.ts';
import { createLineQueue } from './line-queue.ts';

/** Lines on their way to a destination that may fail or stop at any time: nothing waits for it. */
export interface LineWriter {
  /** Takes a line with its end. */
  write(line: string): void;
  /** How many lines were dropped so far. */
  linesLost(): number;
  /** Makes one attempt to write the waiting lines at once: the process ends. */
  end(): void;
}

/** What lines are written with. */
export interface LineWriterParts {
  readonly clock: Pick<Clock, 'after'>;
  /** Writes some of the bytes later, without holding up the process; reports how many. */
  readonly write: (bytes: Buffer, done: (error: Error | null, written: number) => void) => void;
  /** Writes some of the bytes at once; returns how many. Throws where none could be written. */
  readonly writeNow: (bytes: Buffer) => number;
  /** Lines wait for more of them for so long: a system call for each would cost more. */
  readonly gatherMs: number;
  /** The line that stands where so many lines are missing. */
  readonly lossLine: (linesLost: number) => string;
}

/** So many bytes are written without waiting for more. */
const enoughBytes = 32_768;
/** After a failure. */
const retryMs = 1_000;
/** For a reader that is behind; the pause doubles up to the other one. */
const firstPauseMs = 10;

/**
 * Writes lines together and in order. A failed write drops all that waits, and is tried again each
 * second. A reader that is behind makes lines wait; once they are too many, more are dropped until
 * these are read. The loss line is written first where it can be.
 */
export function createLineWriter(parts: LineWriterParts): LineWriter {
  const queue = createLineQueue(parts.lossLine);
  let state: 'idle' | 'writing' | 'pausing' = 'idle';
  let pauseMs = firstPauseMs;
  let timer: Timer | undefined;
  return { write, linesLost: queue.linesLost, end };

  function write(line: string) {
    queue.add(line);
    if (state === 'idle') sendSoon();
  }

  function sendSoon() {
    if (queue.waitingBytes() >= enoughBytes || parts.gatherMs === 0) send();
    else timer ??= parts.clock.after(parts.gatherMs, send);
  }

  function send() {
    timer?.cancel();
    timer = undefined;
    const bytes = queue.next();
    state = bytes.length === 0 ? 'idle' : 'writing';
    if (bytes.length > 0) parts.write(bytes, ended);
  }

  function ended(error: Error | null, written: number) {
    if (error !== null && !isBehind(error)) {
      queue.drop();
      return pause(retryMs);
    }
    if (error !== null || written === 0) {
      pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, retryMs);
      return;
    }
    pauseMs = firstPauseMs;
    state = 'idle';
    if (queue.advance(written)) send();
    else if (queue.waitingBytes() > 0) sendSoon();
  }

  function pause(ms: number) {
    state = 'pausing';
    timer = parts.clock.after(ms, send);
  }

  function end() {
    timer?.cancel();
    // The system has what is under way: written again, it could stand there twice.
    if (state === 'writing') queue.skip();
    try {
      for (let bytes = queue.next(); bytes.length > 0; bytes = queue.next()) {
        const written = parts.writeNow(bytes);
        if (written === 0) return;
        queue.advance(written);
      }
    } catch {
      // It was the last attempt: nothing can be reported any more.
    }
  }
}

/** Whether the destination takes bytes again as soon as its reader has read some. */
function isBehind(error: Error): boolean {
  return 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}
