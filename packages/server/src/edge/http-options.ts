/** Bounds for slow and broken clients, on every listener. Source: `docs/reliability.md`. */
export const httpOptions = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16_384,
  // Its own answer to a request without a host has no body: ours has.
  requireHostHeader: false,
} as const;
