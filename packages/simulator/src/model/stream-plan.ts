/** No effect on a whole response. */
export interface StreamPlan {
  /** Before each delta; 0 by default. */
  readonly gapMs?: number | undefined;
  readonly stop?: StreamStop | undefined;
  /** `units` cuts between any two UTF-16 units, also within a character. */
  readonly split?: 'words' | 'units' | undefined;
  /** Deltas per tool call's arguments; by default 8 characters each. */
  readonly toolPieces?: number | undefined;
  /**
   * `zero-first`: first 0 and 0, last the true counts. Chat completions only: `last`: with the
   * finish reason; `each`: growing with each delta.
   */
  readonly counts?: 'zero-first' | 'last' | 'each' | undefined;
  readonly lineEnd?: 'lf' | 'crlf' | 'cr' | undefined;
  /** A comment before each event. */
  readonly comments?: boolean | undefined;
  /** Events per piece; 1 by default. */
  readonly eventsEach?: number | undefined;
  /** Bytes per piece at most. */
  readonly bytesEach?: number | undefined;
  /** A meaningless field enlarges the delta after `after` steps. */
  readonly large?: { readonly after: number; readonly bytes: number } | undefined;
  /** Generated, and billed, to its end after the client disconnected. */
  readonly goesOn?: boolean | undefined;
}

/**
 * After this many steps: deltas, then ordinary end events. `break`: the connection dies. `silence`:
 * no more data. `error`: the surface's event. `end`: a clean end without the completion mark.
 */
export interface StreamStop {
  readonly how: 'break' | 'silence' | 'error' | 'end';
  readonly after: number;
}
