import type { Message, Usage } from '@model-gateway/contract';

/** The state of a run, which can be resumed from it. It is plain JSON. */
export interface AgentRunState {
  /** The whole conversation so far. */
  readonly messages: readonly Message[];
  /** Turns with a response of the model. */
  readonly turns: number;
  /** The tokens of these turns. */
  readonly usage: Usage;
  /** The cost of these turns, as an exact decimal; `null` for a model without a price. */
  readonly costUsd: string | null;
  /**
   * The prefix of the turns' idempotency keys. Absent after an error that uses up the failed turn's
   * key: a resumed run gets a new one.
   */
  readonly idempotencyKey?: string | undefined;
  /** The service's run of these turns; present while it continues. */
  readonly runId?: string | undefined;
}
