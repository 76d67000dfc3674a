import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnections } from './connections.ts';
import type { Target } from './job.ts';
import { createRequests } from './request.ts';

/** One response: its status, or 0 if the connection ended without a response. */
export interface Seen {
  readonly status: number;
  /** The body, or why there is none. */
  readonly text: string;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly tookMs: number;
}

export interface Phase {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly all: Promise<readonly Seen[]>;
}

/** Callers that accept rejections, and that might lose their connection by one. */
export interface Callers {
  /** Opens so many connections, a few at a time: a listener does not accept thousands at once. */
  open(count: number): Promise<void>;
  /**
   * Calls at a fixed rate, however long the responses take. Resolves when all calls are sent; the
   * responses come later. Calls for which this process is late are skipped, so it never floods.
   */
  atRate(callsPerSecond: number, lastsMs: number): Promise<Phase>;
  /** One call each of so many at once. */
  atOnce(count: number): {
    readonly answered: () => number;
    readonly all: Promise<readonly Seen[]>;
  };
  close(): void;
}

/** The maximum number of late calls that are sent at once; more late calls are skipped. */
const lateCallsMax = 50;
/** A listener's queue of new connections has 511 entries. */
const openedAtOnce = 100;

/** Calls a target. No call is sent twice, since it might have reached the platform. */
export function createCallers(target: Target): Callers {
  const connections = createConnections({ url: target.url, isRepeatable: false });
  const next = createRequests({
    ...{ target, hasIdempotencyKeys: false, warmUpMs: 0, measureMs: 0, watchedPids: [] },
    pace: { kind: 'closed', connections: 1 },
  });
  return {
    async open(count) {
      for (let opened = 0; opened < count; opened += openedAtOnce) {
        await connections.open(Math.min(openedAtOnce, count - opened));
      }
    },
    async atRate(callsPerSecond, lastsMs) {
      const calls: Promise<Seen>[] = [];
      const startedAtMs = performance.now();
      let endedAtMs = startedAtMs;
      let sent = 0;
      for (; endedAtMs - startedAtMs < lastsMs; endedAtMs = performance.now()) {
        const due = Math.floor(((endedAtMs - startedAtMs) / 1_000) * callsPerSecond);
        const missed = Math.max(0, due - sent - lateCallsMax);
        for (sent += missed; sent < due; sent++) calls.push(call());
        await sleep(1);
      }
      return { startedAtMs, endedAtMs, all: Promise.all(calls) };
    },
    atOnce(count) {
      let answered = 0;
      const calls = Array.from({ length: count }, async () => {
        const seen = await call();
        answered += 1;
        return seen;
      });
      return { answered: () => answered, all: Promise.all(calls) };
    },
    close: connections.close,
  };

  async function call(): Promise<Seen> {
    const { status, body, problem, answeredAtMs, tookMs } = await connections.call(next());
    const sentAtMs = answeredAtMs - tookMs;
    return { status, text: problem ?? body, sentAtMs, answeredAtMs, tookMs };
  }
}
