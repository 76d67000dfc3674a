import type { Generated } from './generated.ts';

/** Carries no content. */
export interface CallTrace {
  /** `TRACE-SPAN` ids; the call's record keeps them. */
  readonly place: string;
  /** Propagates the trace to the next attempt's platform. */
  headers(): Readonly<Record<string, string>>;
  /** Called for granted and refused money. */
  reserved(reservation: TracedReservation): void;
  /** Also called after its caller left. */
  settled(settlement: TracedSettlement): void;
  /** No call was made: an earlier one answers, and may still run. */
  joined(callId: string): void;
}

/** Monotonic times. */
export interface TracedReservation {
  readonly startedMs: number;
  readonly endedMs: number;
  /** The maximum cost; held only if admitted. */
  readonly heldPicoUsd: bigint;
}

export interface TracedSettlement {
  readonly callId: string;
  readonly route: string;
  /** As the caller named it. */
  readonly model: string;
  readonly generated: Generated;
  /** `OK`, or the code that its caller got. */
  readonly code: string;
  /** All attempts. */
  readonly costPicoUsd: bigint;
  readonly isEstimated: boolean;
  /** The booking transaction. */
  readonly startedMs: number;
  readonly endedMs: number;
}
