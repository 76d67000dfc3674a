import type { DetachedCalls } from '../../calls/running/detached.ts';
import type { Config } from '../../domain/config.ts';
import type { ListenAddress } from '../../domain/listen.ts';
import type { StoreShare } from '../../store/port/port.ts';
import type { OtherThreads } from '../parts/other-threads.ts';
import type { ThreadParts } from '../parts/thread-parts.ts';
import {
  createSharedCounts,
  createSharedMemory,
  type SharedCounts,
  type SharedMemory,
  type SideParts,
} from './shared-counts.ts';
import { openThreadChannel, type ThreadChannel } from './thread-channel.ts';

// The one door to what request threads share. A process with one thread never loads it.

export interface Shared {
  readonly memory: SharedMemory;
  /** The name of the channel on which they tell each other of their calls. */
  readonly channel: string;
}

export interface SharingThread extends ThreadParts {
  readonly counts: SharedCounts;
  readonly processEvents: ThreadChannel;
}

export function createShared(threads: number, channel: string): Shared {
  return { memory: createSharedMemory(threads), channel };
}

export function joinShared({ memory, channel }: Shared, parts: SideParts): SharingThread {
  const { thread, clock } = parts;
  const counts = createSharedCounts(memory, parts);
  return { thread, counts, processEvents: openThreadChannel(channel, clock) };
}

export function cutRequestedCalls(
  detached: Pick<DetachedCalls, 'cutSmallest'>,
  counts: Pick<SharedCounts, 'takeCutRequests' | 'detached'>,
): void {
  for (let remaining = counts.takeCutRequests(); remaining > 0; remaining--) {
    // Counted as gone already: whatever it comes to, it is counted here once.
    counts.detached.add(1);
    detached.cutSmallest();
  }
}

/** Each has a service, as another replica would have. ADR 0077. */
export interface FurtherThreads extends OtherThreads {
  readonly first: SharingThread;
  /** Callers reach none yet. Throws the first failure; threads that were opened must be stopped. */
  start(parts: StartParts): Promise<void>;
  listen(at: ListenAddress): Promise<void>;
  refresh(): Promise<void>;
  /** The first thread has put it into the store already. */
  follow(config: Config): Promise<void>;
  drain(): void;
  /** Returns how many calls could not be settled. */
  stop(): Promise<number>;
}

export interface StartParts {
  readonly share: (() => Promise<StoreShare>) | undefined;
  readonly detached: Pick<DetachedCalls, 'cutSmallest'>;
}
