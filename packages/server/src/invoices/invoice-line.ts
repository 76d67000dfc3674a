/** By project, UTC day, model and kind of token, pico-USD. */
export interface InvoiceLine {
  readonly day: string;
  /** The platform's name; empty without one. */
  readonly project: string;
  /** From the project's tag; empty without one. */
  readonly app: string;
  /** `tokens`, or another billed thing, such as `web_search`. */
  readonly kind: string;
  /** The platform's name; empty where its text is not understood. */
  readonly model: string;
  /** The platform's name; empty without one. */
  readonly tokenType: string;
  /** Whole tokens, rounded half up; undefined where the platform states none. */
  readonly quantity: bigint | undefined;
  readonly amount: bigint;
  /** Error of the amount from digits cut off in the source. */
  readonly tolerance: bigint;
}
