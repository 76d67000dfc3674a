/** Its methods never throw or wait. */
export interface Sink {
  /** Never empty; `onAccepted` runs only after the client's socket accepted all. */
  write(text: string, bytes: number, onAccepted: () => void): void;
  end(): void;
  destroy(): void;
  /** Earlier responses are pending, so the client cannot read this one yet. */
  isBehind(): boolean;
}

export interface AnswerStream {
  /** The response is complete. A client that reads nothing for a while is disconnected. */
  readonly isReady?: true;
  /** Call once. */
  open(sink: Sink): void;
  /** The client disconnected. No effect after the end. */
  leave(): void;
  /** Or when the client stops reading. */
  whenEnded(run: () => void): void;
}
