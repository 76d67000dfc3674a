import { Worker } from 'node:worker_threads';
import type { Clock } from '../../lib/clock.ts';
import type { ThreadState } from '../../operations/context/live-state.ts';
import type { Answer, Order, ThreadData, ThreadMessage, ThreadRequest } from './messages.ts';
import { receivedError } from './sent-error.ts';

/** A thread reports each second. After this silence it serves no callers. */
const silentMsMax = 10_000;

export type NewRequest = ThreadRequest extends infer Each
  ? Each extends ThreadRequest
    ? Omit<Each, 'id'>
    : never
  : never;

export interface FurtherThread {
  /** Rejects if the thread's service could not be opened. */
  readonly opened: Promise<void>;
  readonly ended: Promise<void>;
  /** After the thread's end: its last answer. */
  request(request: NewRequest): Promise<Answer>;
  order(order: Order): void;
  /** The last report. A silent thread is not alive. */
  state(): ThreadState | undefined;
}

export function startThread(
  data: ThreadData,
  parts: {
    readonly writeLine: (line: string) => void;
    readonly onDeath: (error: Error) => void;
    readonly poke: (thread: number) => void;
    readonly clock: Clock;
  },
): FurtherThread {
  const { clock } = parts;
  const worker = openWorker(data);
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const pending = createPendingRequests();
  let lastReport: { readonly state: ThreadState; readonly atMs: number } | undefined;
  worker.on('message', receive);
  worker.on('error', die);
  worker.on('exit', () => {
    if (!pending.isOver()) return die(new Error(`thread ${data.thread} has ended`));
    pending.end();
    ended.resolve();
  });
  return {
    ...{ opened: opened.promise, ended: ended.promise },
    request: (what) =>
      pending.add((id) => worker.postMessage({ ...what, id } satisfies ThreadRequest)),
    order: (what) => worker.postMessage(what satisfies Order),
    state,
  };

  function receive(message: ThreadMessage) {
    switch (message.kind) {
      case 'opened':
        return opened.resolve();
      case 'not-opened':
        pending.over({});
        return opened.reject(receivedError(message.error));
      case 'done':
        if (message.isLast) pending.over(message.answer);
        return pending.take(message.id)?.resolve(message.answer);
      case 'refused':
        if (message.isLast) pending.over({});
        return pending.take(message.id)?.reject(receivedError(message.error));
      case 'poke':
        return parts.poke(message.thread);
      case 'lines':
        for (const line of message.lines) parts.writeLine(line);
        return;
      case 'state':
        lastReport = { state: message.state, atMs: clock.monotonic() };
    }
  }

  function state(): ThreadState | undefined {
    if (lastReport === undefined) return undefined;
    const isReporting = clock.monotonic() - lastReport.atMs < silentMsMax || pending.isOver();
    return { ...lastReport.state, isAlive: lastReport.state.isAlive && isReporting };
  }

  function die(error: Error) {
    pending.fail(error);
    opened.reject(error);
    parts.onDeath(error);
  }
}

function openWorker(data: ThreadData): Worker {
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
  const transferList = data.share === undefined ? [] : [data.share.port];
  return new Worker(new URL(file, import.meta.url), { workerData: data, transferList });
}

/** Requests that are open at the thread's end get its last answer. */
function createPendingRequests() {
  const open = new Map<number, PromiseWithResolvers<Answer>>();
  let count = 0;
  let last: Answer | undefined;
  let hasEnded = false;
  return {
    add(send: (id: number) => void): Promise<Answer> {
      if (hasEnded) return Promise.resolve(last ?? {});
      const id = count++;
      const answer = Promise.withResolvers<Answer>();
      open.set(id, answer);
      send(id);
      return answer.promise;
    },
    take(id: number): PromiseWithResolvers<Answer> | undefined {
      const answer = open.get(id);
      open.delete(id);
      return answer;
    },
    /** After its last answer the thread may end. */
    over(answer: Answer) {
      last = answer;
    },
    isOver: () => last !== undefined,
    end() {
      hasEnded = true;
      for (const { resolve } of open.values()) resolve(last ?? {});
      open.clear();
    },
    fail(error: Error) {
      for (const { reject } of open.values()) reject(error);
      open.clear();
    },
  };
}
