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

// The only entry point to the state that request threads share. A single-thread process never loads
// it.

export interface Shared {
  readonly memory: SharedMemory;
  /** The channel on which threads exchange events of their calls. */
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
    // The requesting thread has already subtracted this call; `cutSmallest` subtracts it again.
    counts.detached.add(1);
    detached.cutSmallest();
  }
}

/** Each thread runs a service, like another replica. ADR 0077. */
export interface FurtherThreads extends OtherThreads {
  readonly first: SharingThread;
  /**
   * No caller reaches them yet. Throws the first failure; threads that were opened must be stopped.
   */
  start(parts: StartParts): Promise<void>;
  listen(at: ListenAddress): Promise<void>;
  refresh(): Promise<void>;
  /** The first thread has already put the configuration into the store. */
  follow(config: Config): Promise<void>;
  drain(): void;
  /** Returns the number of unsettled calls. */
  stop(): Promise<number>;
}

export interface StartParts {
  readonly share: (() => Promise<StoreShare>) | undefined;
  readonly detached: Pick<DetachedCalls, 'cutSmallest'>;
}
