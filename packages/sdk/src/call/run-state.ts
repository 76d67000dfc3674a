import type { Message, Usage } from '@model-gateway/contract';

/** How far a run has come: all that is needed to go on with it. It is plain JSON. */
export interface AgentRunState {
  /** The whole conversation so far. */
  readonly messages: readonly Message[];
  /** Turns that the model has answered. */
  readonly turns: number;
  /** The tokens of these turns. */
  readonly usage: Usage;
  /** What these turns cost, as an exact decimal; `null` for a model without a price. */
  readonly costUsd: string | null;
  /**
   * What the turns' idempotency keys begin with. Absent after an error that ends with the failed
   * turn's key: the run then goes on with a new one.
   */
  readonly idempotencyKey?: string | undefined;
  /** The service's run that the turns are made in; present while it goes on. */
  readonly runId?: string | undefined;
}
