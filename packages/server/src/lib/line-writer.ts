import type { Clock, Timer } from './clock.ts';
import { createLineQueue } from './line-queue.ts';

/** The destination may fail or stop at any time, so nothing waits for it. */
export interface LineWriter {
  /** The line includes its end. */
  write(line: string): void;
  linesLost(): number;
  /** Makes one last synchronous attempt, because the process ends. */
  end(): void;
}

export interface LineWriterParts {
  readonly clock: Pick<Clock, 'after'>;
  readonly write: (bytes: Buffer, done: (error: Error | null, written: number) => void) => void;
  /** Synchronous; returns the count of bytes. Throws if none could be written. */
  readonly writeNow: (bytes: Buffer) => number;
  /** Batches lines: a system call for each would cost more. */
  readonly gatherMs: number;
  readonly lossLine: (linesLost: number) => string;
}

const enoughBytes = 32_768;
const retryMs = 1_000;
/** For a slow reader; the pause doubles up to `retryMs`. */
const firstPauseMs = 10;

/**
 * A failed write drops all waiting lines; writing is retried each second. A slow reader makes lines
 * wait; beyond the limit, new lines are dropped. The loss line comes first if possible.
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
    if (bytes.length > 0) parts.write(bytes, onWritten);
  }

  function onWritten(error: Error | null, written: number) {
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
    // The system has the bytes of the current write; a second write could duplicate them.
    if (state === 'writing') queue.skip();
    try {
      for (let bytes = queue.next(); bytes.length > 0; bytes = queue.next()) {
        const written = parts.writeNow(bytes);
        if (written === 0) return;
        queue.advance(written);
      }
    } catch {
      // This was the last attempt, so the failure cannot be reported.
    }
  }
}

function isBehind(error: Error): boolean {
  return 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}
