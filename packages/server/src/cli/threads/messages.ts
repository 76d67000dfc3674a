import type { StoreShare } from '../../compose/open-further.ts';
import type { Shared } from '../../compose/threads/threads.ts';
import type { Listen } from '../../domain/listen.ts';
import type { MetricsOfThread } from '../../observe/merge-metrics.ts';
import type { ThreadState } from '../../operations/context/live-state.ts';
import type { SentConfig } from '../process/sent-config.ts';
import type { SentError } from './sent-error.ts';

/** What a further thread is started with. */
export interface ThreadData {
  /** From 2: the first is the process's own. */
  readonly thread: number;
  readonly config: SentConfig;
  readonly shared: Shared;
  /** Undefined where each thread opens the store for itself. */
  readonly share: StoreShare | undefined;
  readonly logLevel: string;
}

/** What it is asked to do, and answers by the same id. */
export type Ask = { readonly id: number } & (
  | { readonly kind: 'listen'; readonly at: Listen }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'follow'; readonly sent: SentConfig }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'stop' }
);

/** What it is told, and answers nothing to. */
export type Order =
  | { readonly kind: 'drain' }
  /** Detached calls are to be cut that the others count as gone. */
  | { readonly kind: 'cut' };

/** What it says. */
export type Said =
  | { readonly kind: 'opened' }
  | { readonly kind: 'not-opened'; readonly error: SentError }
  | ({ readonly kind: 'done'; readonly answer: Answer } & Answered)
  | ({ readonly kind: 'refused'; readonly error: SentError } & Answered)
  /** Another thread is to look at what it is to cut. */
  | { readonly kind: 'poke'; readonly thread: number }
  /** Lines for the log, each with its end. */
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'state'; readonly state: ThreadState };

/** Which ask it is that is answered. */
interface Answered {
  readonly id: number;
  /** That to stop: the thread ends. */
  readonly isLast: boolean;
}

/** What its answers have to say, where they have anything. */
export interface Answer {
  readonly metrics?: MetricsOfThread;
  /** Of a stop: calls that the store could not be told of. */
  readonly unsettledCalls?: number;
}
