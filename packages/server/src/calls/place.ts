/** Room that a request takes up: one of `limits.inFlight`, and the bytes of its body. */
export interface Place {
  /** Gives it to what goes on behind the answer: the request then has none to leave. */
  handOver(): Place;
  /** Lets go of it; once more does nothing. */
  leave(): void;
}
