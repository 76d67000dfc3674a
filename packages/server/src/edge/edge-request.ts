/** What came of reading a body. */
export type ReadBody = Uint8Array | 'too-long' | 'no-room' | undefined;

/** A request as it comes in, from a socket or from a test. */
export interface EdgeRequest {
  readonly method: string;
  /** The path alone, as sent. */
  readonly path: string;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** How long the body says it is: 0 when there is none, undefined when it does not say. */
  readonly announcedBytes: number | undefined;
  /**
   * Reads the body: `too-long` when it has more bytes than `limitBytes`, `no-room` when `hasRoom`
   * says no to as many as have come, undefined when there is none. Rejects when the client leaves
   * before its end.
   */
  readonly readBody: (limitBytes: number, hasRoom: (bytes: number) => boolean) => Promise<ReadBody>;
  /** Calls `run` when the client leaves before it is answered. */
  readonly whenLeft: (run: () => void) => void;
}
