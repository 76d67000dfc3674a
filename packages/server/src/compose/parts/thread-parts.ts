import type { CallEvents } from '../../calls/idempotency/call-events.ts';
import type { PlatformEvents } from '../../observe/platform-watch.ts';
import type { OtherThreads } from './other-threads.ts';
import type { ProcessCounts } from './process-counts.ts';

export type ProcessEvents = CallEvents & PlatformEvents;

/** What a thread that answers requests has in common with others. */
export interface ThreadParts {
  /** Which it is; the first opens the store for the others. */
  readonly thread: number;
  readonly counts: ProcessCounts;
  readonly otherThreads?: OtherThreads | undefined;
  readonly processEvents?: ProcessEvents | undefined;
}
