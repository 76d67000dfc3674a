import type { Run } from '../../domain/run.ts';
import type { Clock } from '../../lib/clock.ts';

export type Found = Run | undefined | 'busy';

export interface RunCache {
  read(name: string, select: () => Promise<Run | undefined>): Found | Promise<Found>;
  made(run: Run, names: readonly string[]): void;
  ended(app: string, id: string): void;
}

export const freshMs = 500;

/** A slower reading is discarded: the run may have ended meanwhile. */
export const staleMs = 1_000;

const keptMax = 20_000;
const unknownMax = 2_000;
const strangersMax = 64;

interface Kept {
  readonly run: Run | undefined;
  /** Taken before the read. */
  readonly atMs: number;
}

interface Reading {
  readonly found: Promise<Found>;
  readonly atMs: number;
}

/**
 * Concurrent readers of a name share one read. Random names share few slots and evict no found run.
 */
export function createRunCache(clock: Pick<Clock, 'monotonic'>): RunCache {
  const known = new Map<string, Kept>();
  const unknown = new Map<string, Kept>();
  const readings = new Map<string, Reading>();
  /** Runs ended here, while reads may still show them open. */
  const over = new Map<string, number>();
  let strangers = 0;
  return {
    read(name, select) {
      const kept = known.get(name) ?? unknown.get(name);
      if (kept !== undefined && isWithin(freshMs, kept.atMs)) return unlessOver(kept.run);
      const shared = readings.get(name);
      if (shared !== undefined && isWithin(freshMs, shared.atMs)) return shared.found;
      const isStranger = !known.has(name);
      if (isStranger && strangers >= strangersMax) return 'busy';
      const atMs = clock.monotonic();
      const reading = { found: readOne(name, select, { isStranger, atMs }), atMs };
      readings.set(name, reading);
      return reading.found;
    },
    made(run, names) {
      for (const name of names) keep(known, name, { run, atMs: clock.monotonic() }, keptMax);
    },
    ended(app, id) {
      for (const [name, atMs] of over) if (!isWithin(staleMs, atMs)) over.delete(name);
      over.set(`${app} ${id}`, clock.monotonic());
    },
  };

  async function readOne(
    name: string,
    select: () => Promise<Run | undefined>,
    { isStranger, atMs }: { readonly isStranger: boolean; readonly atMs: number },
  ): Promise<Found> {
    if (isStranger) strangers += 1;
    try {
      const run = await select();
      if (!isWithin(staleMs, atMs)) return 'busy';
      if (run === undefined) {
        // It may have been pruned.
        known.delete(name);
        keep(unknown, name, { run, atMs }, unknownMax);
      } else keep(known, name, { run, atMs }, keptMax);
      return unlessOver(run);
    } finally {
      if (isStranger) strangers -= 1;
      if (readings.get(name)?.atMs === atMs) readings.delete(name);
    }
  }

  function isWithin(ms: number, atMs: number): boolean {
    return clock.monotonic() - atMs < ms;
  }

  function unlessOver(run: Run | undefined): Run | undefined {
    return over.size > 0 && run !== undefined && over.has(`${run.app} ${run.id}`) ? undefined : run;
  }
}

function keep(among: Map<string, Kept>, name: string, one: Kept, most: number) {
  among.delete(name);
  among.set(name, one);
  if (among.size <= most) return;
  const [oldest] = among.keys();
  if (oldest !== undefined) among.delete(oldest);
}
