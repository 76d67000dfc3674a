import type { Clock } from '../lib/clock.ts';

/** By app. ADR 0030. */
export interface CpuBudget {
  waitMs(app: string): number;
  /** An overrun delays the app, by a minute at most. */
  spend(app: string, cpuMs: number): void;
}

export const cpuBudget = { cpuMs: 10_000, perMs: 60_000 } as const;

/** Refills continuously. `share`: this thread's part among several. */
export function createCpuBudget(parts: {
  readonly clock: Clock;
  readonly share?: number;
}): CpuBudget {
  const { clock, share = 1 } = parts;
  const perCpuMs = cpuBudget.perMs / (cpuBudget.cpuMs * share);
  // When all of an app's budget is there again, the first to forget in front.
  const fullAtMs = new Map<string, number>();
  return {
    waitMs(app) {
      const remainingMs = (fullAtMs.get(app) ?? 0) - clock.monotonic();
      return Math.max(0, remainingMs - cpuBudget.perMs);
    },
    spend(app, cpuMs) {
      const nowMs = clock.monotonic();
      const sinceMs = Math.max(nowMs, fullAtMs.get(app) ?? 0);
      fullAtMs.delete(app);
      // Answers are checked even above it, and no answer waits for longer than the minute for that.
      fullAtMs.set(app, Math.min(sinceMs + cpuMs * perCpuMs, nowMs + 2 * cpuBudget.perMs));
      for (const [oldest, atMs] of fullAtMs) {
        if (atMs > nowMs) break;
        fullAtMs.delete(oldest);
      }
    },
  };
}
