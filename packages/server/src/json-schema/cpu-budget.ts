import type { Clock } from '../lib/clock.ts';

/** Per app. ADR 0030. */
export interface CpuBudget {
  waitMs(app: string): number;
  /** An overrun delays the app, by at most a minute. */
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
  // The time when an app's budget is full again, the earliest first.
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
      // Responses are checked even above the budget, and delay the app by at most the minute.
      fullAtMs.set(app, Math.min(sinceMs + cpuMs * perCpuMs, nowMs + 2 * cpuBudget.perMs));
      for (const [oldest, atMs] of fullAtMs) {
        if (atMs > nowMs) break;
        fullAtMs.delete(oldest);
      }
    },
  };
}
