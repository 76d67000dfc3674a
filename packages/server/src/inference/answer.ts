/** An answer on its way out, before it is an HTTP response. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** Headers of this answer alone; the edge adds those that all answers have. */
  readonly headers: Readonly<Record<string, string>>;
}
