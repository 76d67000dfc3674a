import type { DestinationStream } from 'pino';

/** The first thread writes them. */
export interface LineSender extends DestinationStream {
  /** Earlier lines are dropped. */
  begin(): void;
  flush(): void;
}

/** Batches the lines of a turn of the event loop. */
export function createLineSender(send: (lines: readonly string[]) => void): LineSender {
  let waiting: string[] = [];
  let hasBegun = false;
  return {
    write(line) {
      if (!hasBegun) return;
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(line);
    },
    begin() {
      hasBegun = true;
    },
    flush,
  };

  function flush() {
    if (waiting.length === 0) return;
    const lines = waiting;
    waiting = [];
    send(lines);
  }
}
