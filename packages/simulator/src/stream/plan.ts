/** How a streamed answer comes; for an answer that is asked for whole it means nothing. */
export interface StreamPlan {
  /** Milliseconds before each delta; 0 by default. */
  readonly gapMs?: number | undefined;
  /** Where it ends otherwise than it should. */
  readonly stop?: StreamStop | undefined;
  /** `units` cuts text between any two UTF-16 units, within a character as well. */
  readonly split?: 'words' | 'units' | undefined;
  /** Into how many deltas the arguments of a tool call are cut; by default 8 characters each. */
  readonly toolPieces?: number | undefined;
  /**
   * `zero-first`: the first event states 0 and 0, the last what is true. On chat completions also
   * `last`: with the finish reason and not by itself, and `each`: growing with each delta.
   */
  readonly counts?: 'zero-first' | 'last' | 'each' | undefined;
  readonly lineEnd?: 'lf' | 'crlf' | 'cr' | undefined;
  /** A comment before each event. */
  readonly comments?: boolean | undefined;
  /** How many events stand in one piece on the connection; 1 by default. */
  readonly eventsEach?: number | undefined;
  /** Pieces on the connection have at most so many bytes. */
  readonly bytesEach?: number | undefined;
  /** The delta after `after` steps is made at least so large, by a field that means nothing. */
  readonly large?: { readonly after: number; readonly bytes: number } | undefined;
  /** It is generated, and billed, to its end when the client has left. */
  readonly goesOn?: boolean | undefined;
}

/**
 * An end before its time, after so many steps: each delta is one, then each event of the ordinary
 * end. `break`: the connection dies; `silence`: nothing more comes; `error`: the surface's own
 * event; `end`: a clean end of the body, without what says that the answer is whole.
 */
export interface StreamStop {
  readonly how: 'break' | 'silence' | 'error' | 'end';
  readonly after: number;
}
