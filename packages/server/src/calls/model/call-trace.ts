import type { Generated } from '../attempts/attempts.ts';

/** Where a call stands in the trace of its request, and what is told of it there: never content. */
export interface CallTrace {
  /** The ids of the trace and of the request's span, `TRACE-SPAN`: the call's record keeps them. */
  readonly place: string;
  /** What takes the trace to a platform with the next attempt. */
  headers(): Readonly<Record<string, string>>;
  /** Its money was asked for, whatever that came to. */
  reserved(reservation: TracedReservation): void;
  /** It is booked, in time or after its caller has gone. */
  settled(settlement: TracedSettlement): void;
  /** It is not made: its answer is that of an earlier call, which may still run. */
  joined(callId: string): void;
}

/** A reservation, by the clock that does not go back. */
export interface TracedReservation {
  readonly startedMs: number;
  readonly endedMs: number;
  /** The most that the call can cost, which is held if it is admitted. */
  readonly heldPicoUsd: bigint;
}

/** A call and its end. */
export interface TracedSettlement {
  readonly callId: string;
  /** The operation. */
  readonly route: string;
  /** As its caller names it. */
  readonly model: string;
  readonly generated: Generated;
  /** `OK`, or the code that its caller got. */
  readonly code: string;
  /** What is booked for all its attempts. */
  readonly costPicoUsd: bigint;
  readonly isEstimated: boolean;
  /** Of the transaction that booked it. */
  readonly startedMs: number;
  readonly endedMs: number;
}
