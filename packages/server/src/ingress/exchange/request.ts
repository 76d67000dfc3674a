import type { OneShot } from '../../lib/one-shot.ts';

export type BrokenBody = 'malformed' | 'late';

export type UnreadBody = 'too-long' | 'no-room' | 'left' | BrokenBody;

export type ReadBody = ReceivedBody | UnreadBody | undefined;

/** Waiting functions hold this object, so the bytes can be freed after parsing. */
export interface ReceivedBody {
  bytes: Uint8Array | undefined;
  readonly byteLength: number;
  /** Set after the values are counted; only then may `bytes` be freed. */
  values: number | undefined;
}

export interface BodyRoom {
  arrivedBytes: number;
  readonly heldBytes: number;
  /** `bodyBytes`: arrived so far. False if no bytes are free. */
  hasRoom(bodyBytes: number): boolean;
}

export interface IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: string | undefined;
  readonly header: (name: string) => string | undefined;
  readonly isRepeated: (name: string) => boolean;
  /** The client's network, shortened, for the log. */
  readonly remote: string | undefined;
  /** 0: no body; undefined: unannounced. */
  readonly announcedBytes: number | undefined;
  /**
   * `too-long`: above `limitBytes`; `no-room`: `room` is exhausted; `left`: the client disconnected
   * or `over` fired; undefined: no body.
   */
  readonly readBody: (limitBytes: number, room: BodyRoom, over: OneShot) => Promise<ReadBody>;
  /** Runs `run` if the client disconnects before it has the response. */
  readonly whenDisconnected: (run: () => void) => void;
  /** Runs `run` when the client's socket has accepted the response, or the client disconnects. */
  readonly whenAccepted: (run: () => void) => void;
  /** Must be called once the key is known. */
  readonly onKey: () => void;
}
