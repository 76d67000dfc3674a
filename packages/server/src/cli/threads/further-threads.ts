import {
  createShared,
  cutRequestedCalls,
  type FurtherThreads,
  joinShared,
} from '../../compose/threads/threads.ts';
import type { Config } from '../../domain/config.ts';
import type { Clock } from '../../lib/clock.ts';
import { within } from '../../lib/deadline.ts';
import type { MetricsOfThread } from '../../observe/merge-metrics.ts';
import { sentConfig } from '../process/sent-config.ts';
import { type FurtherThread, type NewRequest, startThread } from './further-thread.ts';
import type { Answer } from './messages.ts';

const metricsMs = 2_000;

export function createFurtherThreads(parts: {
  readonly config: Config;
  readonly clock: Clock;
  readonly channel: string;
  readonly logLevel: string;
  readonly writeLine: (line: string) => void;
  /** A thread ended unexpectedly, so the process must end. */
  readonly onDeath: (error: Error) => void;
}): FurtherThreads {
  const { config, clock, channel, logLevel } = parts;
  const shared = createShared(config.threads, channel);
  let started: readonly FurtherThread[] = [];
  let cutOwn = () => {};
  const first = joinShared(shared, { thread: 1, clock, poke });
  const known = new Map<FurtherThread, MetricsOfThread>();
  return {
    first,
    states: () => started.flatMap(({ state }) => state() ?? []),
    async metrics() {
      await Promise.all(started.map(updateMetrics));
      return [...known.values()];
    },
    async start({ share, detached }) {
      cutOwn = () => cutRequestedCalls(detached, first.counts);
      const numbers = Array.from({ length: config.threads - 1 }, (_, index) => index + 2);
      const shares = await Promise.all(numbers.map(() => share?.()));
      started = numbers.map((thread, index) => {
        const own = { config: sentConfig(config), share: shares[index] };
        return startThread({ thread, shared, logLevel, ...own }, { ...parts, poke });
      });
      const opened = await Promise.allSettled(started.map(({ opened }) => opened));
      started = started.filter((_, index) => opened[index]?.status === 'fulfilled');
      for (const each of opened) if (each.status === 'rejected') throw each.reason;
    },
    listen: async (at) => void (await requestAll({ kind: 'listen', at })),
    refresh: async () => void (await requestAll({ kind: 'refresh' })),
    follow: async (next) => void (await requestAll({ kind: 'follow', sent: sentConfig(next) })),
    drain() {
      for (const { order } of started) order({ kind: 'drain' });
    },
    async stop() {
      const answers = await requestAll({ kind: 'stop' });
      await Promise.all(started.map(({ ended }) => ended));
      first.processEvents.close();
      return answers.reduce((sum, { unsettledCalls = 0 }) => sum + unsettledCalls, 0);
    },
  };

  async function requestAll(request: NewRequest): Promise<readonly Answer[]> {
    const answers = started.map((thread) => thread.request(request));
    await Promise.allSettled(answers);
    return Promise.all(answers);
  }

  /** If the thread does not answer in time, its last metrics stay. */
  async function updateMetrics(thread: FurtherThread) {
    const reply = thread.request({ kind: 'metrics' });
    if (!(await within(clock, metricsMs, reply))) return;
    const { metrics } = await reply;
    if (metrics !== undefined) known.set(thread, metrics);
  }

  function poke(thread: number) {
    if (thread === 1) cutOwn();
    else started[thread - 2]?.order({ kind: 'cut' });
  }
}
