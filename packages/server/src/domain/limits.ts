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

export interface StreamLimits {
  /** From admission to the first delta. */
  readonly firstMs: number;
  /** Between two events of the platform. */
  readonly idleMs: number;
  /** From admission to the end. */
  readonly totalMs: number;
  /** In total, while a caller reads nothing. */
  readonly stallMs: number;
  readonly inFlight: number;
  /** Unsent bytes of one stream; above this limit the platform is paused. */
  readonly aheadBytes: number;
}

export const defaultStreamLimits: StreamLimits = {
  firstMs: 26_000,
  idleMs: 26_000,
  totalMs: 300_000,
  stallMs: 30_000,
  inFlight: 1_000,
  aheadBytes: 65_536,
};
