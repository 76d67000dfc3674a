import type { Generated } from './generated.ts';

/** Carries no content. */
export interface CallTrace {
  /** `TRACE-SPAN` ids; the call's record keeps them. */
  readonly spanReference: string;
  headers(): Readonly<Record<string, string>>;
  /** Called for granted and refused money. */
  reserved(reservation: TracedReservation): void;
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
  readonly model: string;
  readonly generated: Generated;
  readonly code: string;
  readonly costPicoUsd: bigint;
  readonly isEstimated: boolean;
  readonly startedMs: number;
  readonly endedMs: number;
}
