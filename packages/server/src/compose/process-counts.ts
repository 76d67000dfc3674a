import type { ProcessCounts, SharedDetached } from '../domain/process-counts.ts';
import { createProcessorMemory } from '../ingress/limits/processor-shares.ts';
import { createAttendanceMemory } from '../ingress/limits/shared-attendance.ts';
import {
  createOwnCount,
  createOwnTally,
  createSharedCount,
  createSharedTally,
} from '../lib/shared-count.ts';

/** The counts of a process with one thread. */
export function createOwnCounts(): ProcessCounts {
  return {
    threads: 1,
    places: createOwnCount(),
    bodyBytes: createOwnCount(),
    streams: createOwnCount(),
    slowBodies: createOwnTally(),
    processor: createProcessorMemory(),
    detached: { add: () => undefined, others: () => 0, cutElsewhere: () => false },
  };
}

/** Where threads count together, and what each of them makes its own side of it by. */
export interface SharedMemory {
  readonly memory: SharedArrayBuffer;
  readonly apps: SharedArrayBuffer;
  readonly processor: SharedArrayBuffer;
  readonly streamApps: SharedArrayBuffer;
  readonly threads: number;
}

/** Totals of places, bytes and streams; then, of each thread, its detached calls and its cuts. */
const heads = 3;
const ofThread = 2;
const slowPlaces = 16_384;
/** Body bytes are counted in units of so many, so that they fit 32 bits. */
const byteUnit = 1_024;

/** Memory for so many threads, in which nothing is counted. */
export function createSharedMemory(threads: number): SharedMemory {
  const places = heads + ofThread * threads + slowPlaces;
  const memory = new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT);
  return {
    ...{ threads, memory, apps: createAttendanceMemory() },
    ...{ streamApps: createAttendanceMemory(), processor: createProcessorMemory() },
  };
}

/** One thread's side of the counts, by which it knows what it is to cut. */
export interface SharedCounts extends ProcessCounts {
  /** Answers how many detached calls other threads want cut, which count as gone already. */
  cutsWanted(): number;
}

/** The side of one thread, from 1; `poke` tells another one to look at what it is to cut. */
export function createSharedCounts(
  { memory, apps, streamApps, processor, threads }: SharedMemory,
  parts: { readonly thread: number; readonly poke: (thread: number) => void },
): SharedCounts {
  const all = new Int32Array(memory);
  const total = (place: number) => all.subarray(place, place + 1);
  const detachedAt = (thread: number) => heads + (thread - 1) * ofThread;
  const cutsAt = (thread: number) => detachedAt(thread) + 1;
  const { thread, poke } = parts;
  const others = Array.from({ length: threads }, (_, index) => index + 1).filter(
    (each) => each !== thread,
  );
  const detached: SharedDetached = {
    add: (change) => void Atomics.add(all, detachedAt(thread), change),
    others: () => others.reduce((sum, each) => sum + countAt(detachedAt(each)), 0),
    cutElsewhere() {
      const found = others.find((each) => takeOne(detachedAt(each)));
      if (found === undefined) return false;
      Atomics.add(all, cutsAt(found), 1);
      poke(found);
      return true;
    },
  };
  return {
    ...{ threads, detached, apps, streamApps, processor },
    places: createSharedCount(total(0)),
    bodyBytes: createSharedCount(total(1), byteUnit),
    streams: createSharedCount(total(2)),
    slowBodies: createSharedTally(all.subarray(heads + ofThread * threads)),
    cutsWanted: () => Atomics.exchange(all, cutsAt(thread), 0),
  };

  /** One that has ended may be counted as cut as well, until its thread has looked. */
  function countAt(place: number): number {
    return Math.max(0, Atomics.load(all, place));
  }

  function takeOne(place: number): boolean {
    const count = Atomics.load(all, place);
    return count > 0 && Atomics.compareExchange(all, place, count, count - 1) === count;
  }
}
