import type { CircuitBreakersSnapshot } from '../../platforms/outage/circuit-breakers.ts';
import type { MarkSum } from '../../store/queries/usage-marks.ts';
import type { Overview, Problem } from '../documents/today.ts';
import type { Shared } from './shared.ts';

/** Of one process; all is read at once. */
export interface LiveState {
  readonly instanceId: string;
  readonly version: string;
  readonly configHash: string;
  /** Of all threads of this process; each replica has its own. */
  circuits(): CircuitBreakersSnapshot;
  platforms(): readonly PlatformNote[];
  load(): Load;
  /** Callers' address; undefined until the listener is open. */
  url(): string | undefined;
  /** Sets the address: a configuration with port 0 does not know it. */
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

/** Concurrent readers share one read. */
export interface Reads {
  readonly live: LiveState;
  /** Of days like today; kept for an hour. */
  curves(): Promise<Curves>;
  /** Of logins with the same apps and rights. A change, and a poll for changes, forget it. */
  readonly overview: Shared<() => Promise<Overview>, Overview>;
  /** Read every few seconds, whatever the number of readers. */
  problems(): Promise<ProblemReport>;
  /** Of invoices: only for those who may reconcile. */
  invoiceProblems(): Promise<readonly Problem[]>;
  changes(): Promise<Changes>;
}

export interface ProblemReport {
  readonly problems: readonly Problem[];
  readonly replicas: number;
}

export interface Curves {
  of(app: string): Curve;
  /** Which days, such as `weekdays`. */
  readonly like: string;
}

/** Cumulative costs of one app's earlier days, by hour in order. */
export type Curve = readonly Pick<MarkSum, 'hour' | 'days' | 'cost'>[];

/** One text per topic; another text means that the topic changed. */
export type Changes = ReadonlyMap<string, string>;
