/** Where a stream is written to. Nothing of it throws or waits. */
export interface Sink {
  /**
   * Writes a text of so many bytes, never empty; calls `onTaken` when the client's socket has
   * accepted all of it, and never where it does not.
   */
  write(text: string, bytes: number, onTaken: () => void): void;
  /** That was all. */
  end(): void;
  /** Cuts the client off. */
  destroy(): void;
  /** Whether answers before this one are still on their way: the client cannot read it yet. */
  isBehind(): boolean;
}

/** What follows the head of an answer that is told as it comes. */
export interface AnswerStream {
  /** All of it is there: a client that takes nothing of it for a while is cut. */
  readonly isReady?: true;
  /** Writes to `sink` from now on; to be called once. */
  open(sink: Sink): void;
  /** Its client has gone. After its end this changes nothing. */
  leave(): void;
  /** Calls `run` when the last event was written, or the client reads no more of it. */
  whenEnded(run: () => void): void;
}
