import type { Client } from 'undici';
import type { Reads } from './open-client.ts';

/** HTTP/1.1 has no ids: a duplicate answer must meet a connection that waits for none. ADR 0031. */
export const restMs = 2;

/** HTTP/1.1: one request at a time per connection. */
export interface Connections {
  /**
   * Calls back at once, or when the bound and the app's share allow. Never hands over a connection
   * that another app has used. The returned function ends the wait.
   */
  take(line: Line, user: ConnectionUser): (() => void) | undefined;
  /** Call once per taken connection, when its exchange has ended. */
  giveBack(connection: Connection): void;
  /** Connections taken afterwards refuse all requests. */
  close(): Promise<void>;
}

export interface ConnectionUser {
  use(connection: Connection): void;
}

/** For life: one app's calls, and one kind of answers. */
export interface Line {
  readonly app: string;
  readonly reads: Reads;
}

export interface Connection {
  readonly client: Client;
}
