import type { CpuTime } from '../measure.ts';

export type Pace =
  /** Each connection sends its next call after the last response. */
  | { readonly kind: 'closed'; readonly connections: number }
  /** Calls are sent when they are due, however many wait. */
  | { readonly kind: 'open'; readonly callsPerSecond: number; readonly connectionsMax: number };

export interface Target {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Part of every good response; by default the sentence of the upstream. */
  readonly expects?: string;
}

export interface LoadJob {
  readonly target: Target;
  readonly pace: Pace;
  /** Whether each call has its own `idempotency-key`. */
  readonly hasIdempotencyKeys: boolean;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Processes whose processor time is read at both ends of the measured part. */
  readonly watchedPids: readonly number[];
}

/** The result of a measurement. Counts and times cover the measured part, without the warm-up. */
export interface LoadResult {
  readonly calls: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Of each watched process, in their order. */
  readonly cpu: readonly CpuTime[];
  /** Of the load generator itself. */
  readonly ownCpuMicros: number;
  /** Of everything on the machine but the generator and the watched processes. */
  readonly othersCpuMicros: number;
  /** All calls, with warm-up and rest. */
  readonly sent: number;
  /** Of all sent calls, those without 200 and the expected text. */
  readonly failures: number;
  readonly firstFailure: string | undefined;
  /** When the measured part began and ended, on the machine's monotonic clock. */
  readonly startedMicros: number;
  readonly endedMicros: number;
}

export type LoadReply =
  | { readonly kind: 'done'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly error: string };
