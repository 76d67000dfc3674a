import type { StoreShare } from '../../compose/open-further.ts';
import {
  createSharedCounts,
  createSharedMemory,
  type SharedCounts,
} from '../../compose/process-counts.ts';
import type { Siblings } from '../../compose/siblings.ts';
import { openThreadNews, type ThreadNews } from '../../compose/thread-news.ts';
import type { Config } from '../../domain/config.ts';
import type { Listen } from '../../domain/listen.ts';
import type { Clock } from '../../lib/clock.ts';
import { within } from '../../lib/deadline.ts';
import type { MetricsOfThread } from '../../observe/merge-metrics.ts';
import { type Asked, type FurtherThread, startThread } from './further-thread.ts';
import type { Answer } from './messages.ts';
import { sentConfig } from './sent-config.ts';

/**
 * The threads of a process that answer requests beside its first one. Each has a service of its
 * own, as a further replica would have. ADR 0077.
 */
export interface FurtherThreads extends Siblings {
  /** The first thread's side of what all count together. */
  readonly counts: SharedCounts;
  /** Its side of what they tell each other of their calls. */
  readonly news: ThreadNews;
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
  /** Cuts detached calls of the first thread that the others count as gone. */
  readonly cut: () => void;
}

/** How long a thread may take to say what it has counted. */
const metricsMs = 2_000;

/** Nothing is started yet. */
export function createFurtherThreads(parts: {
  readonly config: Config;
  readonly clock: Clock;
  /** Of this process alone. */
  readonly channel: string;
  readonly logLevel: string;
  /** Writes lines of the log. */
  readonly writeLine: (line: string) => void;
  /** One has ended by itself: the process must end. */
  readonly onDeath: (error: Error) => void;
}): FurtherThreads {
  const { config, clock, channel, logLevel } = parts;
  const memory = createSharedMemory(config.threads);
  let started: readonly FurtherThread[] = [];
  let cutOwn = () => {};
  const counts = createSharedCounts(memory, { thread: 1, poke });
  const news = openThreadNews(channel, clock);
  const known = new Map<FurtherThread, MetricsOfThread>();
  return {
    ...{ counts, news },
    states: () => started.flatMap(({ state }) => state() ?? []),
    async metrics() {
      await Promise.all(started.map(askMetrics));
      return [...known.values()];
    },
    async start({ share, cut }) {
      cutOwn = cut;
      const numbers = Array.from({ length: config.threads - 1 }, (_, index) => index + 2);
      const shares = await Promise.all(numbers.map(() => share?.()));
      started = numbers.map((thread, index) => {
        const own = { config: sentConfig(config), share: shares[index] };
        return startThread({ thread, memory, channel, logLevel, ...own }, { ...parts, poke });
      });
      const opened = await Promise.allSettled(started.map(({ opened }) => opened));
      started = started.filter((_, index) => opened[index]?.status === 'fulfilled');
      for (const each of opened) if (each.status === 'rejected') throw each.reason;
    },
    listen: async (at) => void (await askAll({ kind: 'listen', at })),
    refresh: async () => void (await askAll({ kind: 'refresh' })),
    follow: async (next) => void (await askAll({ kind: 'follow', sent: sentConfig(next) })),
    drain() {
      for (const { order } of started) order({ kind: 'drain' });
    },
    async stop() {
      const answers = await askAll({ kind: 'stop' });
      await Promise.all(started.map(({ ended }) => ended));
      news.close();
      return answers.reduce((sum, { unsettledCalls = 0 }) => sum + unsettledCalls, 0);
    },
  };

  /** All are waited for, also where one of them refuses. */
  async function askAll(ask: Asked): Promise<readonly Answer[]> {
    const answers = started.map((thread) => thread.ask(ask));
    await Promise.allSettled(answers);
    return Promise.all(answers);
  }

  /** As they are now; as they were last where the thread does not come to say it. */
  async function askMetrics(thread: FurtherThread) {
    const asked = thread.ask({ kind: 'metrics' });
    if (!(await within(clock, metricsMs, asked))) return;
    const { metrics } = await asked;
    if (metrics !== undefined) known.set(thread, metrics);
  }

  function poke(thread: number) {
    if (thread === 1) cutOwn();
    else started[thread - 2]?.order({ kind: 'cut' });
  }
}
