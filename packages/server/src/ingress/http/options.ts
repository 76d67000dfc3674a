import type { ServerOptions } from 'node:http';

/** Times in milliseconds. */
export interface HttpOptions extends ServerOptions {
  /** Bytes of a request's head. */
  readonly maxHeaderSize: number;
  /** `keepAliveTimeout` before the connection's first known key. */
  readonly keylessKeepAliveTimeout: number;
  /** Disconnects clients that read nothing of their response for this time. */
  readonly unreadTimeout: number;
}

/** For every listener. `docs/reliability.md`. */
export const httpOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
  keylessKeepAliveTimeout: 5_000,
  unreadTimeout: 30_000,
  maxHeaderSize: 16_384,
  // Node's response to a request without a host has no body; the gateway's has one.
  requireHostHeader: false,
} as const satisfies HttpOptions;

/** The console limits bodies itself, and a file may take 10 minutes. */
export const operatorHttpOptions = {
  ...httpOptions,
  requestTimeout: 600_000,
} as const satisfies HttpOptions;
