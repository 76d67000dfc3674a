import type { DetachedCalls } from '../../calls/running/detached.ts';
import type { Config } from '../../domain/config.ts';
import type { Listen } from '../../domain/listen.ts';
import type { StoreShare } from '../../store/port/port.ts';
import type { ThreadParts } from '../instance.ts';
import type { Siblings } from '../siblings.ts';
import {
  createSharedCounts,
  createSharedMemory,
  type SharedCounts,
  type SharedMemory,
  type SideParts,
} from './shared-counts.ts';
import { openThreadNews, type ThreadNews } from './thread-news.ts';

// The one door to what request threads share. A process with one thread never loads it.

/** What all threads of a process are given. */
export interface Shared {
  readonly memory: SharedMemory;
  /** The name of the channel on which they tell each other of their calls. */
  readonly channel: string;
}

/** One thread's side of what they share. */
export interface SharingThread extends ThreadParts {
  readonly counts: SharedCounts;
  readonly news: ThreadNews;
}

export function createShared(threads: number, channel: string): Shared {
  return { memory: createSharedMemory(threads), channel };
}

export function joinShared({ memory, channel }: Shared, parts: SideParts): SharingThread {
  const { thread, clock } = parts;
  const counts = createSharedCounts(memory, parts);
  return { thread, counts, news: openThreadNews(channel, clock) };
}

/** Cuts the detached calls whose places other threads have taken. */
export function cutWanted(
  detached: Pick<DetachedCalls, 'cutSmallest'>,
  counts: Pick<SharedCounts, 'cutsWanted' | 'detached'>,
): void {
  for (let wanted = counts.cutsWanted(); wanted > 0; wanted--) {
    // Counted as gone already: whatever it comes to, it is counted here once.
    counts.detached.add(1);
    detached.cutSmallest();
  }
}

/**
 * The threads of a process that answer requests beside its first one. Each has a service of its
 * own, as a further replica would have. ADR 0077.
 */
export interface FurtherThreads extends Siblings {
  /** The first thread's side of what all share. */
  readonly first: SharingThread;
  /**
   * Opens their services, which no caller reaches yet. Throws what the first of them has met that
   * could not be opened; those that were are to be stopped.
   */
  start(parts: StartParts): Promise<void>;
  /** Opens their listeners, on the port that the first thread has. */
  listen(at: Listen): Promise<void>;
  /** Has them see at once what has changed in the store. */
  refresh(): Promise<void>;
  /** Puts a configuration in force that the first thread has put into the store. */
  follow(config: Config): Promise<void>;
  /** From now on they say that the process is stopping. */
  drain(): void;
  /** Ends them in order; answers how many calls they could not settle. */
  stop(): Promise<number>;
}

/** What the threads are started with, once the first one is open. */
export interface StartParts {
  /** Missing where each thread opens the store for itself. */
  readonly share: (() => Promise<StoreShare>) | undefined;
  /** Those of the first thread. */
  readonly detached: Pick<DetachedCalls, 'cutSmallest'>;
}
