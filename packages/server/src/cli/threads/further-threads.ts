import { Worker } from 'node:worker_threads';
import type { ThreadState } from '../../admin/live-state.ts';
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
import type { Answer, Ask, Order, Said, SentConfig, ThreadData } from './messages.ts';

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
  let started: readonly Thread[] = [];
  let cutOwn = () => {};
  const counts = createSharedCounts(memory, { thread: 1, poke });
  const news = openThreadNews(channel, clock);
  const askAll = (ask: Asked) => Promise.all(started.map((thread) => thread.ask(ask)));
  return {
    ...{ counts, news },
    states: () => started.flatMap(({ state }) => state() ?? []),
    async metrics() {
      const answers = await askAll({ kind: 'metrics' });
      return answers.flatMap(({ metrics }) => (metrics === undefined ? [] : [metrics]));
    },
    async start({ share, cut }) {
      cutOwn = cut;
      const numbers = Array.from({ length: config.threads - 1 }, (_, index) => index + 2);
      started = await Promise.all(
        numbers.map(async (thread) => {
          const own = { config: sent(config), share: await share?.() };
          return startThread({ thread, memory, channel, logLevel, ...own }, { ...parts, poke });
        }),
      );
      const opened = await Promise.allSettled(started.map(({ opened }) => opened));
      started = started.filter((_, index) => opened[index]?.status === 'fulfilled');
      for (const each of opened) if (each.status === 'rejected') throw each.reason;
    },
    listen: async (at) => void (await askAll({ kind: 'listen', at })),
    refresh: async () => void (await askAll({ kind: 'refresh' })),
    follow: async (next) => void (await askAll({ kind: 'follow', sent: sent(next) })),
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

  function poke(thread: number) {
    if (thread === 1) cutOwn();
    else started[thread - 2]?.order({ kind: 'cut' });
  }
}

function sent({ keyRing, ...config }: Config): SentConfig {
  return { config, keys: keyRing?.keys() ?? [] };
}

type Asked = Ask extends infer Each ? (Each extends Ask ? Omit<Each, 'id'> : never) : never;

/** One of them. */
interface Thread {
  /** Rejects where its service could not be opened. */
  readonly opened: Promise<void>;
  /** Its end, after a stop. */
  readonly ended: Promise<void>;
  ask(ask: Asked): Promise<Answer>;
  order(order: Order): void;
  state(): ThreadState | undefined;
}

function startThread(
  data: ThreadData,
  parts: {
    readonly writeLine: (line: string) => void;
    readonly onDeath: (error: Error) => void;
    readonly poke: (thread: number) => void;
  },
): Thread {
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
  const moved = data.share === undefined ? [] : [data.share.port];
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: data,
    transferList: moved,
  });
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const asked = new Map<number, PromiseWithResolvers<Answer>>();
  let asks = 0;
  let isStopping = false;
  let state: ThreadState | undefined;
  worker.on('message', hear);
  worker.on('error', die);
  worker.on('exit', () => {
    ended.resolve();
    if (!isStopping) die(new Error(`thread ${data.thread} has ended`));
  });
  return { opened: opened.promise, ended: ended.promise, ask, order, state: () => state };

  function ask(what: Asked): Promise<Answer> {
    if (what.kind === 'stop') isStopping = true;
    const id = asks++;
    const answer = Promise.withResolvers<Answer>();
    asked.set(id, answer);
    worker.postMessage({ ...what, id } satisfies Ask);
    return answer.promise;
  }

  function order(what: Order) {
    worker.postMessage(what);
  }

  function hear(said: Said) {
    switch (said.kind) {
      case 'opened':
        return opened.resolve();
      case 'not-opened':
        isStopping = true;
        return opened.reject(new Error(said.error));
      case 'done':
        asked.get(said.id)?.resolve(said.answer);
        return void asked.delete(said.id);
      case 'refused':
        asked.get(said.id)?.reject(new Error(said.error));
        return void asked.delete(said.id);
      case 'poke':
        return parts.poke(said.thread);
      case 'lines':
        for (const line of said.lines) parts.writeLine(line);
        return;
      case 'state':
        state = said.state;
    }
  }

  function die(error: Error) {
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
    opened.reject(error);
    parts.onDeath(error);
  }
}
