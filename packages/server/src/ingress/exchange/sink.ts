/** Its methods never throw or wait. */
export interface Sink {
  /** Never empty; `onAccepted` runs once the client's socket accepted all, else never. */
  write(text: string, bytes: number, onAccepted: () => void): void;
  end(): void;
  destroy(): void;
  /** Earlier answers are pending, so the client cannot read it yet. */
  isBehind(): boolean;
}

export interface AnswerStream {
  /** Complete: a client that takes nothing for a while is cut. */
  readonly isReady?: true;
  /** Call once. */
  open(sink: Sink): void;
  /** Its client left. No effect after its end. */
  leave(): void;
  /** Or when the client stops reading. */
  whenEnded(run: () => void): void;
}
