import type { CallEvents } from '../../calls/idempotency/call-events.ts';
import type { PlatformEvents } from '../../observe/platform-watch.ts';
import type { OtherThreads } from './other-threads.ts';
import type { ProcessCounts } from './process-counts.ts';

export type ProcessEvents = CallEvents & PlatformEvents;

/** The state that a request thread shares with others. */
export interface ThreadParts {
  /** The thread's number; the first thread opens the store for the others. */
  readonly thread: number;
  readonly counts: ProcessCounts;
  readonly otherThreads?: OtherThreads | undefined;
  readonly processEvents?: ProcessEvents | undefined;
}
