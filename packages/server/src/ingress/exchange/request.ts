import type { OneShot } from '../../lib/one-shot.ts';

/** Why a body came to no end: what followed is not one, or did not come in time. */
export type BrokenBody = 'malformed' | 'late';

/** Why a body was not read to its end. */
export type UnreadBody = 'too-long' | 'no-room' | 'left' | BrokenBody;

/** What came of reading a body. */
export type ReadBody = ReceivedBody | UnreadBody | undefined;

/** A whole body. Functions that wait hold this, not its bytes: they go once the call is parsed. */
export interface ReceivedBody {
  bytes: Uint8Array | undefined;
  readonly byteLength: number;
  /** How many JSON values it has, once they were counted; `bytes` may only go after that. */
  values: number | undefined;
}

/** The room for a body on its way. */
export interface BodyRoom {
  /** How much has come: its reader writes it. */
  arrivedBytes: number;
  /** There is room for so much without asking. */
  readonly heldBytes: number;
  /** Makes room for a body of which so many bytes have come; false when there is none. */
  hasRoom(bodyBytes: number): boolean;
}

/** A request as it comes in, from a socket or from a test. */
export interface IncomingRequest {
  readonly method: string;
  /** The path alone, as sent. */
  readonly path: string;
  /** What follows its `?`, as sent; undefined for none. */
  readonly query?: string | undefined;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Whether a header came on more than one line. */
  readonly isRepeated: (name: string) => boolean;
  /** The network of the client, shortened: for the log. */
  readonly remote: string | undefined;
  /** How long the body says it is: 0 when there is none, undefined when it does not say. */
  readonly announcedBytes: number | undefined;
  /**
   * Reads the body: `too-long` when it has more bytes than `limitBytes`, `no-room` when `room` has
   * none for as many as have come, `left` when the client leaves before its end or `over` has come,
   * undefined when there is none.
   */
  readonly readBody: (limitBytes: number, room: BodyRoom, over: OneShot) => Promise<ReadBody>;
  /** Calls `run` when the client leaves before it is answered. */
  readonly whenLeft: (run: () => void) => void;
  /** Calls `run` when the client has taken its answer, or has left. */
  readonly whenTaken: (run: () => void) => void;
  /** To be called once its key is known. */
  readonly onKey: () => void;
}
