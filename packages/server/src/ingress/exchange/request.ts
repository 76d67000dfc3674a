import type { OneShot } from '../../lib/one-shot.ts';

export type BrokenBody = 'malformed' | 'late';

export type UnreadBody = 'too-long' | 'no-room' | 'left' | BrokenBody;

export type ReadBody = ReceivedBody | UnreadBody | undefined;

/** Waiting functions hold this object, so the bytes can be freed once parsed. */
export interface ReceivedBody {
  bytes: Uint8Array | undefined;
  readonly byteLength: number;
  /** Set once counted; only then may `bytes` go. */
  values: number | undefined;
}

export interface BodyRoom {
  arrivedBytes: number;
  readonly heldBytes: number;
  /** `bodyBytes`: arrived so far; false without room. */
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
   * `too-long`: above `limitBytes`; `no-room`: `room` is exhausted; `left`: the client left or
   * `over` came; undefined: no body.
   */
  readonly readBody: (limitBytes: number, room: BodyRoom, over: OneShot) => Promise<ReadBody>;
  /** Before it is answered. */
  readonly whenDisconnected: (run: () => void) => void;
  /** Or when the client left. */
  readonly whenAccepted: (run: () => void) => void;
  /** Must be called once its key is known. */
  readonly onKey: () => void;
}
