import {
  createActiveAppsMemory,
  createSharedActiveApps,
} from '../../ingress/limits/shared-active-apps.ts';
import { createSharedTimes, createTimesMemory } from '../../ingress/limits/shared-times.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Count, Tally } from '../../lib/count.ts';
import { hashOf } from '../../lib/hash.ts';
import type { ProcessCounts, SharedDetached } from '../parts/process-counts.ts';

export interface SharedMemory {
  readonly memory: SharedArrayBuffer;
  readonly apps: SharedArrayBuffer;
  readonly times: SharedArrayBuffer;
  readonly streamApps: SharedArrayBuffer;
  readonly threads: number;
}

/** Totals of permits, bytes and streams precede each thread's detached calls and cancellations. */
const heads = 3;
const ofThread = 2;
const slowSlots = 16_384;
/** Bytes are counted in this unit to fit 32 bits. */
const byteUnit = 1_024;

export function createSharedMemory(threads: number): SharedMemory {
  const slots = heads + ofThread * threads + slowSlots;
  const memory = new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT);
  return {
    ...{ threads, memory, apps: createActiveAppsMemory() },
    ...{ streamApps: createActiveAppsMemory(), times: createTimesMemory() },
  };
}

export interface SharedCounts extends ProcessCounts {
  /** Detached calls that other threads canceled here; the shared count already excludes them. */
  takeCutRequests(): number;
}

export interface SideParts {
  /** From 1. */
  readonly thread: number;
  readonly clock: Clock;
  /** Notifies another thread of a requested cancellation. */
  readonly poke: (thread: number) => void;
}

export function createSharedCounts(
  { memory, apps, streamApps, times, threads }: SharedMemory,
  parts: SideParts,
): SharedCounts {
  const all = new Int32Array(memory);
  const total = (slot: number) => all.subarray(slot, slot + 1);
  const detachedAt = (thread: number) => heads + (thread - 1) * ofThread;
  const cutsAt = (thread: number) => detachedAt(thread) + 1;
  const { thread, clock, poke } = parts;
  const others = Array.from({ length: threads }, (_, index) => index + 1).filter(
    (each) => each !== thread,
  );
  const detached: SharedDetached = {
    add: (change) => void Atomics.add(all, detachedAt(thread), change),
    others: () => others.reduce((sum, each) => sum + countAt(detachedAt(each)), 0),
    cutElsewhere() {
      const target = others.find((each) => takeOne(detachedAt(each)));
      if (target === undefined) return false;
      Atomics.add(all, cutsAt(target), 1);
      poke(target);
      return true;
    },
  };
  return {
    ...{ threads, detached },
    activeApps: createSharedActiveApps(apps, clock),
    activeStreamApps: createSharedActiveApps(streamApps, clock),
    times: createSharedTimes(times),
    permits: createSharedCount(total(0)),
    bodyBytes: createSharedCount(total(1), byteUnit),
    streams: createSharedCount(total(2)),
    slowBodies: createSharedTally(all.subarray(heads + ofThread * threads)),
    takeCutRequests: () => Atomics.exchange(all, cutsAt(thread), 0),
  };

  /**
   * Negative until the thread handles its requests, if a call ended after another thread canceled
   * it.
   */
  function countAt(slot: number): number {
    return Math.max(0, Atomics.load(all, slot));
  }

  function takeOne(slot: number): boolean {
    const count = Atomics.load(all, slot);
    return count > 0 && Atomics.compareExchange(all, slot, count, count - 1) === count;
  }
}

/**
 * This thread's side of a shared count. The first number of `memory` is the total in whole units;
 * each thread's part is rounded up.
 */
export function createSharedCount(memory: Int32Array<SharedArrayBuffer>, unit = 1): Count {
  let own = 0;
  let units = 0;
  return {
    get own() {
      return own;
    },
    set own(next) {
      own = next;
      const now = Math.ceil(own / unit);
      Atomics.add(memory, 0, now - units);
      units = now;
    },
    get others() {
      return (Atomics.load(memory, 0) - units) * unit;
    },
    take(max) {
      if (Atomics.add(memory, 0, 1) >= max) {
        Atomics.sub(memory, 0, 1);
        return false;
      }
      own += 1;
      units += 1;
      return true;
    },
  };
}

/**
 * A tally across all threads that share this memory. A hash of the name selects the slot; rarely,
 * two names share one and are counted together. Names must come from the gateway, or a caller could
 * choose a slot.
 */
export function createSharedTally(memory: Int32Array<SharedArrayBuffer>): Tally {
  const slotOf = (name: string) => hashOf(name) % memory.length;
  return {
    of: (name) => Atomics.load(memory, slotOf(name)),
    add: (name, change) => void Atomics.add(memory, slotOf(name), change),
  };
}
