import type { Client } from 'undici';
import type { Reads } from './open-client.ts';

/** Connections to one origin, each for one request at a time. */
export interface Connections {
  /**
   * Hands over a connection of the line: at once, or once there is one within the bound and the
   * app's share. No app is handed what another one's call has gone over. The returned function ends
   * the wait, if there is one.
   */
  take(line: Line, user: ConnectionUser): (() => void) | undefined;
  /** To be called once for each connection that was taken, when its exchange has ended. */
  giveBack(connection: Connection): void;
  /** Ends every connection; a connection that is taken afterwards refuses what it is given. */
  close(): Promise<void>;
}

/** Who takes a connection. */
export interface ConnectionUser {
  use(connection: Connection): void;
}

/** What a connection is for: all its life the calls of one app, and one kind of answers. */
export interface Line {
  readonly app: string;
  readonly reads: Reads;
}

/** A connection that was taken. */
export interface Connection {
  readonly client: Client;
}
