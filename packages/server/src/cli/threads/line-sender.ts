import type { DestinationStream } from 'pino';

/** Where lines of a thread's log go: to the first thread, which writes them. */
export interface LineSender extends DestinationStream {
  /** From now on lines are sent; until then they are dropped. */
  begin(): void;
  /** Sends what waits. */
  flush(): void;
}

/** Sends the lines of a turn of the event loop together. */
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
