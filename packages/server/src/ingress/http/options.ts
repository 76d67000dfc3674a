import type { ServerOptions } from 'node:http';

/** How a listener treats slow and broken clients; times are milliseconds. */
export interface HttpOptions extends ServerOptions {
  /** The bytes that the head of a request may have. */
  readonly maxHeaderSize: number;
  /** As `keepAliveTimeout`, for a connection that no known key has come on. */
  readonly keylessKeepAliveTimeout: number;
  /** A client that takes nothing of its answer for so long is cut. */
  readonly unreadTimeout: number;
}

/** Bounds for slow and broken clients, on every listener. Source: `docs/reliability.md`. */
export const httpOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
  keylessKeepAliveTimeout: 5_000,
  unreadTimeout: 30_000,
  maxHeaderSize: 16_384,
  // Its own answer to a request without a host has no body: ours has.
  requireHostHeader: false,
} as const satisfies HttpOptions;

/** The same for operators: the console bounds bodies itself, and a file may take 10 minutes. */
export const operatorHttpOptions = {
  ...httpOptions,
  requestTimeout: 600_000,
} as const satisfies HttpOptions;
