import type { Clock } from '../../lib/clock.ts';
import type { Processor } from '../../lib/processor.ts';
import { createAppMemory, createAppRows, ofAll as paidAt } from './app-rows.ts';

/**
 * What each app takes of the processor, over all its keys and all threads. Apps that ask at the
 * same time have equal shares of one core. ADR 0111.
 */
export interface ProcessorShares {
  /** An app asks for something. How long it must wait first, in milliseconds; 0: not at all. */
  ask(app: string): number;
  /** Work for an app took so long. */
  spend(app: string, tookMs: number): void;
  /** Whether several apps have asked within the last second. */
  isShared(): boolean;
  /** Milliseconds that work for each app took so far, in this thread. */
  spent(): ReadonlyMap<string, number>;
}

/** For so long after a request an app has a share of the processor. */
const asksForMs = 1_000;
/** However many apps share it, each has so much of a core. */
const shareMin = 0.15;
/** An app may be ahead of its share by so much, since work comes in bursts. */
const burstMs = 2_000;
/** More than this is not remembered: no other app missed it. */
const debtMaxMs = 2 * burstMs;
/** From so busy a loop on, others wait. */
const busyFrom = 0.8;
/** How many apps ask is known within so long. */
const lookMs = 20;

/** Of an app: its name's hash, how far it is ahead in microseconds, and when it asked last. */
const fields = 3;
const [ofDebt, ofAsked] = [1, 2];

/** Memory in which the threads of a process count together. */
export function createProcessorMemory(): SharedArrayBuffer {
  return createAppMemory(fields);
}

/** One thread's side of the shares; `isWaiting` says whether work waits for its turn. */
export function createProcessorShares(parts: {
  readonly memory: SharedArrayBuffer;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly processor: Pick<Processor, 'loopUse'>;
  readonly isWaiting: () => boolean;
}): ProcessorShares {
  const { clock, processor, isWaiting } = parts;
  const all = new Int32Array(parts.memory);
  const rows = createAppRows(all, fields);
  // The clocks that are never set begin with each thread: this makes one time of them.
  const startMs = clock.now() - clock.monotonic();
  const spent = new Map<string, number>();
  let asking = 1;
  let lookedMs = Number.NEGATIVE_INFINITY;
  return { ask, spend, isShared, spent: () => spent };

  function ask(app: string): number {
    const row = rows.known.get(app) ?? rows.of(app);
    Atomics.store(all, row + ofAsked, Math.floor(startMs + clock.monotonic()) | 0);
    if (Atomics.load(all, row + ofDebt) <= burstMs * 1_000) return 0;
    look();
    const aheadMs = Atomics.load(all, row + ofDebt) / 1_000 - burstMs;
    if (aheadMs <= 0 || asking <= 1) return 0;
    const isContended = isWaiting() || processor.loopUse() >= busyFrom;
    return isContended ? aheadMs / shareOf(asking) : 0;
  }

  function spend(app: string, tookMs: number) {
    spent.set(app, (spent.get(app) ?? 0) + tookMs);
    // Time before it was taken pays for none of it.
    look();
    change(rows.known.get(app) ?? rows.of(app), Math.round(tookMs * 1_000));
  }

  function isShared(): boolean {
    look();
    return asking > 1;
  }

  /** Other threads change it, too. */
  function change(row: number, by: number) {
    for (;;) {
      const debt = Atomics.load(all, row + ofDebt);
      const next = Math.min(Math.max(0, debt + by), debtMaxMs * 1_000);
      if (Atomics.compareExchange(all, row + ofDebt, debt, next) === debt) return;
    }
  }

  /** Checks all rows now and then, not for each request, and pays what has become due. */
  function look() {
    const nowMs = clock.monotonic();
    if (nowMs - lookedMs < lookMs) return;
    lookedMs = nowMs;
    const tick = Math.floor(startMs + nowMs) | 0;
    const sinceMs = Math.max(0, (tick - Atomics.exchange(all, paidAt, tick)) | 0);
    const paid = Math.round(paidMs(sinceMs) * 1_000);
    let count = 0;
    for (const row of rows.taken()) {
      if (paid > 0 && Atomics.load(all, row + ofDebt) > 0) change(row, -paid);
      // Times are compared as long as 32 bits last, and then seem near for no longer than this.
      const agoMs = (tick - Atomics.load(all, row + ofAsked)) | 0;
      if (Math.abs(agoMs) <= asksForMs) count += 1;
    }
    asking = Math.max(1, count);
  }

  /** The share of each app since the last look; while no app asks, it is a whole core. */
  function paidMs(sinceMs: number): number {
    const sharedMs = Math.min(sinceMs, asksForMs);
    return sharedMs * shareOf(asking) + (sinceMs - sharedMs);
  }
}

/** Which part of a core each of so many apps has. */
function shareOf(apps: number): number {
  return Math.max(shareMin, 1 / apps);
}
