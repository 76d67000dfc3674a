/** What a platform bills for a project, a UTC day, a model and a kind of token, pico-USD. */
export interface InvoiceLine {
  readonly day: string;
  /** As the platform names it; empty where it names none. */
  readonly project: string;
  /** What the project's tag says; empty where the platform has no tags, or the row has none. */
  readonly app: string;
  /** `tokens`, or what else is billed, such as `web_search`. */
  readonly kind: string;
  /** As the platform names it; empty where its text is not understood. */
  readonly model: string;
  /** As the platform names it; empty where it says none. */
  readonly tokenType: string;
  /** Whole tokens, rounded half up; undefined where the platform does not say. */
  readonly quantity: bigint | undefined;
  readonly amount: bigint;
  /** How far the amount may be from the truth, as digits were cut off where it was written. */
  readonly tolerance: bigint;
}
