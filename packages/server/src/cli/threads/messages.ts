import type { StoreShare } from '../../compose/open-further.ts';
import type { Shared } from '../../compose/threads/threads.ts';
import type { ListenAddress } from '../../domain/listen.ts';
import type { MetricsOfThread } from '../../observe/merge-metrics.ts';
import type { ThreadState } from '../../operations/context/live-state.ts';
import type { SentConfig } from '../process/sent-config.ts';
import type { SentError } from './sent-error.ts';

export interface ThreadData {
  /** From 2 on: 1 is the process's main thread. */
  readonly thread: number;
  readonly config: SentConfig;
  readonly shared: Shared;
  /** Undefined if each thread opens the store itself. */
  readonly share: StoreShare | undefined;
  readonly logLevel: string;
}

export type ThreadRequest = { readonly id: number } & (
  | { readonly kind: 'listen'; readonly at: ListenAddress }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'follow'; readonly sent: SentConfig }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'stop' }
);

export type Order =
  | { readonly kind: 'drain' }
  /** Other threads count these detached calls as ended, so they must be canceled. */
  | { readonly kind: 'cut' };

export type ThreadMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'not-opened'; readonly error: SentError }
  | ({ readonly kind: 'done'; readonly answer: Answer } & Answered)
  | ({ readonly kind: 'refused'; readonly error: SentError } & Answered)
  | { readonly kind: 'poke'; readonly thread: number }
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'state'; readonly state: ThreadState };

interface Answered {
  readonly id: number;
  /** True for the answer to `stop`: then the thread ends. */
  readonly isLast: boolean;
}

export interface Answer {
  readonly metrics?: MetricsOfThread;
  /** After `stop`: calls that could not be settled in the store. */
  readonly unsettledCalls?: number;
}
