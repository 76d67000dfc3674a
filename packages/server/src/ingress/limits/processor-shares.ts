import type { Clock } from '../../lib/clock.ts';
import type { Processor } from '../../lib/processor.ts';

/**
 * Covers all keys and threads. Apps with simultaneous requests share one core equally. ADR 0111.
 */
export interface ProcessorShares {
  /** Returns the wait in milliseconds; 0: none. */
  delayMsFor(app: string): number;
  spend(app: string, tookMs: number): void;
  /** Several apps sent requests within the last second. */
  isShared(): boolean;
  /** Milliseconds by app, in this thread. */
  spent(): ReadonlyMap<string, number>;
}

const activeForMs = 1_000;
/** Minimum share of a core, however many apps share. */
const shareMin = 0.15;
/** An app may exceed its share by this; work comes in bursts. */
const burstMs = 2_000;
const debtMaxMs = 2 * burstMs;
/** Others wait from this loop utilization on. */
const busyFrom = 0.8;
const refreshMs = 20;

/** The time by which an app exceeds its share, and the time of its last request. */
export interface AppTime {
  readonly debtMicros: number;
  lastRequestTick: number;
  change(by: number): void;
}

/** The times of all apps, shared by the threads of a process. */
export interface AppTimes {
  readonly known: ReadonlyMap<string, AppTime>;
  of(app: string): AppTime;
  all(): Iterable<AppTime>;
  /** Records until when debts are paid; returns the previous value. */
  payUntil(tick: number): number;
}

export function createAppTimes(): AppTimes {
  const known = new Map<string, AppTime>();
  let paidTick = 0;
  return {
    known,
    of(app) {
      const time = known.get(app) ?? createAppTime();
      known.set(app, time);
      return time;
    },
    all: () => known.values(),
    payUntil(tick) {
      const before = paidTick;
      paidTick = tick;
      return before;
    },
  };
}

function createAppTime(): AppTime {
  const time = {
    debtMicros: 0,
    lastRequestTick: 0,
    change(by: number) {
      time.debtMicros = boundedDebt(time.debtMicros + by);
    },
  };
  return time;
}

export function boundedDebt(micros: number): number {
  return Math.min(Math.max(0, micros), debtMaxMs * 1_000);
}

/** One thread's view. `isWaiting`: work waits for its turn. */
export function createProcessorShares(parts: {
  readonly times: AppTimes;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly processor: Pick<Processor, 'loopUse'>;
  readonly isWaiting: () => boolean;
}): ProcessorShares {
  const { times, clock, processor, isWaiting } = parts;
  // Monotonic clocks start with each thread; this converts them to a common time.
  const startMs = clock.now() - clock.monotonic();
  const spent = new Map<string, number>();
  let activeAppCount = 1;
  let refreshedMs = Number.NEGATIVE_INFINITY;
  return { delayMsFor, spend, isShared, spent: () => spent };

  function delayMsFor(app: string): number {
    const time = times.known.get(app) ?? times.of(app);
    time.lastRequestTick = Math.floor(startMs + clock.monotonic()) | 0;
    if (time.debtMicros <= burstMs * 1_000) return 0;
    refresh();
    const aheadMs = time.debtMicros / 1_000 - burstMs;
    if (aheadMs <= 0 || activeAppCount <= 1) return 0;
    const isContended = isWaiting() || processor.loopUse() >= busyFrom;
    return isContended ? aheadMs / shareOf(activeAppCount) : 0;
  }

  function spend(app: string, tookMs: number) {
    spent.set(app, (spent.get(app) ?? 0) + tookMs);
    // Earlier time does not pay for this work.
    refresh();
    times.of(app).change(Math.round(tookMs * 1_000));
  }

  function isShared(): boolean {
    refresh();
    return activeAppCount > 1;
  }

  /** Checks all apps only from time to time, and applies due payments. */
  function refresh() {
    const nowMs = clock.monotonic();
    if (nowMs - refreshedMs < refreshMs) return;
    refreshedMs = nowMs;
    const tick = Math.floor(startMs + nowMs) | 0;
    const sinceMs = Math.max(0, (tick - times.payUntil(tick)) | 0);
    const paid = Math.round(paidMs(sinceMs) * 1_000);
    let count = 0;
    for (const time of times.all()) {
      if (paid > 0 && time.debtMicros > 0) time.change(-paid);
      // Times have 32 bits. After a wrap an old time seems recent, but not for longer than this.
      const agoMs = (tick - time.lastRequestTick) | 0;
      if (Math.abs(agoMs) <= activeForMs) count += 1;
    }
    activeAppCount = Math.max(1, count);
  }

  function paidMs(sinceMs: number): number {
    const sharedMs = Math.min(sinceMs, activeForMs);
    return sharedMs * shareOf(activeAppCount) + (sinceMs - sharedMs);
  }
}

function shareOf(apps: number): number {
  return Math.max(shareMin, 1 / apps);
}
