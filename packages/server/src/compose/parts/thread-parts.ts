import type { CallNews } from '../../calls/idempotency/call-news.ts';
import type { PlatformNews } from '../../observe/platform-watch.ts';
import type { ProcessCounts } from './process-counts.ts';
import type { Siblings } from './siblings.ts';

export type ProcessNews = CallNews & PlatformNews;

/** What a thread that answers requests has in common with others. */
export interface ThreadParts {
  /** Which it is; the first opens the store for the others. */
  readonly thread: number;
  readonly counts: ProcessCounts;
  readonly siblings?: Siblings | undefined;
  readonly news?: ProcessNews | undefined;
}
