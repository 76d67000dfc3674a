/** Bounds of time and size; defaults are the specification's. */
export interface Limits {
  readonly modelCallMs: number;
  readonly gatewayMs: number;
  readonly drainMs: number;
  readonly stopDelayMs: number;
  readonly stopMs: number;
  readonly bodyBytes: number;
  readonly bodyBytesInFlight: number;
  readonly inFlight: number;
  readonly idempotencyMs: number;
}
