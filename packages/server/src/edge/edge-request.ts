/** A request as it comes in, from a socket or from a test. */
export interface EdgeRequest {
  readonly method: string;
  /** The path alone, as sent. */
  readonly path: string;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /**
   * Reads the body: `too-long` when it has more bytes than `limitBytes`, undefined when there is
   * none. Rejects when the client leaves before its end.
   */
  readonly readBody: (limitBytes: number) => Promise<Uint8Array | 'too-long' | undefined>;
  /** Aborts when the client leaves before it is answered. */
  readonly left: AbortSignal;
}

/** Reads a length header; undefined when there is none. */
export function contentLengthOf(header: EdgeRequest['header']): number | undefined {
  const value = header('content-length');
  return value === undefined ? undefined : Number(value);
}
