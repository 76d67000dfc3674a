import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnections } from './connections.ts';
import type { Target } from './job.ts';
import { createRequests } from './request.ts';

/** One answer: its status, or 0 when the connection ended without one. */
export interface Seen {
  readonly status: number;
  /** The body, or why there is none. */
  readonly said: string;
  readonly answeredAtMs: number;
  readonly tookMs: number;
}

/** Callers that meet refusals, and that may lose their connection by one. */
export interface Callers {
  /** Calls at a fixed rate, however long the answers take; resolves when all are answered. */
  atRate(callsPerSecond: number, lastsMs: number): Promise<readonly Seen[]>;
  /** One call each of so many at once. */
  atOnce(count: number): {
    readonly answered: () => number;
    readonly all: Promise<readonly Seen[]>;
  };
  close(): void;
}

/** Calls a target. None is sent twice: it may have reached the platform. */
export function createCallers(target: Target): Callers {
  const connections = createConnections({ url: target.url, isRepeatable: false });
  const next = createRequests({
    ...{ target, hasIdempotencyKeys: false, warmUpMs: 0, measureMs: 0, watchedPids: [] },
    pace: { kind: 'closed', connections: 1 },
  });
  return {
    async atRate(callsPerSecond, lastsMs) {
      const calls: Promise<Seen>[] = [];
      const startedMs = performance.now();
      for (let nowMs = startedMs; nowMs - startedMs < lastsMs; nowMs = performance.now()) {
        const due = Math.floor(((nowMs - startedMs) / 1_000) * callsPerSecond);
        while (calls.length < due) calls.push(call());
        await sleep(1);
      }
      return Promise.all(calls);
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
    return { status, said: problem ?? body, answeredAtMs, tookMs };
  }
}
