/** One of `limits.inFlight`, and the body's bytes. */
export interface Permit {
  /** Moves it to background work; the request then releases nothing. */
  transfer(): Permit;
  /** Idempotent. */
  release(): void;
}
