/** The room that a request takes up: one of `limits.inFlight`, and the bytes of its body. */
export interface Permit {
  /** Gives it to what goes on behind the answer: the request then has none to release. */
  transfer(): Permit;
  /** Lets go of it; once more does nothing. */
  release(): void;
}
