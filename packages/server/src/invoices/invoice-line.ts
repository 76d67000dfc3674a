/** In pico-USD, by project, UTC day, model and kind of token. */
export interface InvoiceLine {
  readonly day: string;
  /** The platform's name; empty without one. */
  readonly project: string;
  /** From the project's tag; empty without one. */
  readonly app: string;
  /** `tokens`, or another billed thing, such as `web_search`. */
  readonly kind: string;
  /** The platform's name; empty if its text is not understood. */
  readonly model: string;
  /** The platform's name; empty without one. */
  readonly tokenType: string;
  /** Whole tokens, rounded half up; undefined if the platform reports none. */
  readonly quantity: bigint | undefined;
  readonly amount: bigint;
  /** Possible error of the amount from digits that the source cut off. */
  readonly tolerance: bigint;
}
