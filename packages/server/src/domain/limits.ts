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
  readonly streams: StreamLimits;
}

/** Bounds of streamed calls. */
export interface StreamLimits {
  /** From admission to the first delta. */
  readonly firstMs: number;
  /** From one event of the platform to the next. */
  readonly idleMs: number;
  /** From admission to the end. */
  readonly totalMs: number;
  /** In which a caller may read nothing, in all. */
  readonly stallMs: number;
  readonly inFlight: number;
  /** Not yet sent, of one stream; then its platform is held back. */
  readonly aheadBytes: number;
}

/** What holds where the configuration does not say. */
export const defaultStreamLimits: StreamLimits = {
  firstMs: 26_000,
  idleMs: 26_000,
  totalMs: 300_000,
  stallMs: 30_000,
  inFlight: 1_000,
  aheadBytes: 65_536,
};
