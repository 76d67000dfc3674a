import type { CpuTime } from '../measure.ts';

/** How calls follow each other. */
export type Pace =
  /** Each connection sends its next call when the last is answered. */
  | { readonly kind: 'closed'; readonly connections: number }
  /** Calls are sent when they are due, however many wait. */
  | { readonly kind: 'open'; readonly callsPerSecond: number; readonly connectionsMax: number };

/** What is called. */
export interface Target {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What every good answer holds; the sentence of the upstream where nothing is said. */
  readonly expects?: string;
}

/** One measurement. */
export interface LoadJob {
  readonly target: Target;
  readonly pace: Pace;
  /** Whether each call has an `idempotency-key` of its own. */
  readonly hasIdempotencyKeys: boolean;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Processes whose processor time is read at both ends of what is measured. */
  readonly watchedPids: readonly number[];
}

/** What a measurement came to. Counts and times are of the measured part, without the warm-up. */
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
  /** Calls in all, warm-up and rest included. */
  readonly sent: number;
  /** Calls that were not answered with 200 and the expected text, of all that were sent. */
  readonly failures: number;
  readonly firstFailure: string | undefined;
  /** When the measured part began and ended, on the machine's monotonic clock. */
  readonly startedMicros: number;
  readonly endedMicros: number;
}

/** The load generator's answer to a job. */
export type LoadReply =
  | { readonly kind: 'done'; readonly result: LoadResult }
  | { readonly kind: 'failed'; readonly error: string };
