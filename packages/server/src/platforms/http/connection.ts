import type { Client } from 'undici';
import type { Reads } from './open-client.ts';

/** HTTP/1.1 has no ids: a duplicate response must meet an idle connection. ADR 0031. */
export const restMs = 2;

/** HTTP/1.1: one request at a time per connection. */
export interface Connections {
  /**
   * Calls back at once, or when the limit and the app's share allow. Never passes on a connection
   * that another app has used. The returned function ends the wait.
   */
  take(line: Line, user: ConnectionUser): (() => void) | undefined;
  /** Call once per taken connection, when its exchange has ended. */
  giveBack(connection: Connection): void;
  /** Connections taken afterwards reject all requests. */
  close(): Promise<void>;
}

export interface ConnectionUser {
  use(connection: Connection): void;
}

/** Fixed for a connection's lifetime: one app, and one kind of response. */
export interface Line {
  readonly app: string;
  readonly reads: Reads;
}

export interface Connection {
  readonly client: Client;
}
