import type { CircuitBreakersSnapshot } from '../../platforms/outage/circuit-breakers.ts';
import type { MarkSum } from '../../store/queries/usage-marks.ts';
import type { Overview, Problem } from '../documents/today.ts';
import type { Shared } from './shared.ts';

/** The state of one process, read at one time. */
export interface LiveState {
  readonly instanceId: string;
  readonly version: string;
  readonly configHash: string;
  /** All threads of this process; each replica has its own circuits. */
  circuits(): CircuitBreakersSnapshot;
  platforms(): readonly PlatformNote[];
  load(): Load;
  /** The address for callers; undefined until the listener is open. */
  url(): string | undefined;
  /** Sets the address: with port 0, the configuration does not contain it. */
  setUrl(url: string): void;
}

export interface ThreadState {
  readonly instanceId: string;
  readonly circuits: CircuitBreakersSnapshot;
  readonly load: Load;
  readonly isAlive: boolean;
}

export interface PlatformNote {
  readonly name: string;
  readonly state: string;
  readonly problem: string | null;
}

export interface Load {
  readonly requests: number;
  readonly bodyBytes: number;
  readonly bodyBytesMax: number;
  readonly runningCalls: number;
  readonly detachedCalls: number;
  readonly streams: number;
  readonly queue: number;
}

/** Concurrent readers share one result. */
export interface Reads {
  readonly live: LiveState;
  /** Curves of similar days, read once an hour. */
  curves(): Promise<Curves>;
  /**
   * Shared by logins with the same apps and rights. A change and a poll for changes invalidate it.
   */
  readonly overview: Shared<() => Promise<Overview>, Overview>;
  /** Read every few seconds at most, whatever the number of readers. */
  problems(): Promise<ProblemReport>;
  /** Problems of invoices, only for sessions that may reconcile. */
  invoiceProblems(): Promise<readonly Problem[]>;
  changes(): Promise<Changes>;
}

export interface ProblemReport {
  readonly problems: readonly Problem[];
  readonly replicas: number;
}

export interface Curves {
  of(app: string): Curve;
  /** The kind of days, such as `weekdays`. */
  readonly like: string;
}

/** Cumulative costs of one app's earlier days, by hour in order. */
export type Curve = readonly Pick<MarkSum, 'hour' | 'days' | 'cost'>[];

/** One text per topic; another text means that the topic changed. */
export type Changes = ReadonlyMap<string, string>;
