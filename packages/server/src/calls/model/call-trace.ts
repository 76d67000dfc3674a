import type { Generated } from './generated.ts';

/** Carries no content. */
export interface CallTrace {
  /** `TRACE-SPAN` ids, stored in the call's record. */
  readonly spanReference: string;
  headers(): Readonly<Record<string, string>>;
  /** Called for granted and rejected reservations. */
  reserved(reservation: TracedReservation): void;
  settled(settlement: TracedSettlement): void;
  /** No new call: an earlier call, which may still run, supplies the response. */
  joined(callId: string): void;
}

/** Monotonic times. */
export interface TracedReservation {
  readonly startedMs: number;
  readonly endedMs: number;
  /** The maximum cost; reserved only if admitted. */
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
