import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnections } from './connections.ts';
import type { Target } from './job.ts';
import { createRequests } from './request.ts';

/** One answer: its status, or 0 when the connection ended without one. */
export interface Seen {
  readonly status: number;
  /** The body, or why there is none. */
  readonly text: string;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  readonly tookMs: number;
}

/** Calls at one rate. */
export interface Phase {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly all: Promise<readonly Seen[]>;
}

/** Callers that meet refusals, and that may lose their connection by one. */
export interface Callers {
  /** Opens so many connections, a few at a time: a listener takes no thousands at once. */
  open(count: number): Promise<void>;
  /**
   * Calls at a fixed rate, however long the answers take. Resolves when all are sent; the answers
   * come after it. Calls that this process is late for are not made, so that it never floods.
   */
  atRate(callsPerSecond: number, lastsMs: number): Promise<Phase>;
  /** One call each of so many at once. */
  atOnce(count: number): {
    readonly answered: () => number;
    readonly all: Promise<readonly Seen[]>;
  };
  close(): void;
}

/** Calls that are sent late, and at once, when this process was kept from it. */
const lateMsMax = 50;
/** A listener's queue of new connections has 511 places. */
const openedAtOnce = 100;

/** Calls a target. None is sent twice: it may have reached the platform. */
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
        const missed = Math.max(0, due - sent - lateMsMax);
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
