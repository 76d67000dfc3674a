import type { Run } from '../../domain/run.ts';
import type { Clock } from '../../lib/clock.ts';

/** What was found: a run, none, or that it cannot be looked for now. */
export type Found = Run | undefined | 'busy';

/** Runs that were read lately. */
export interface RunCache {
  /** What the store has under a name: as it was read up to {@link freshMs} ago, or reads now. */
  read(name: string, select: () => Promise<Run | undefined>): Found | Promise<Found>;
  /** It was made here, and is known by these names. */
  made(run: Run, names: readonly string[]): void;
  /** It was ended here: what was read before says otherwise. */
  ended(app: string, id: string): void;
}

/** What was read so long ago is read anew. */
export const freshMs = 500;

/** What a reading finds that took longer is no answer: the run may have been ended meanwhile. */
export const staleMs = 1_000;

/** Runs that are kept, names that are kept of which there is none, and such that are being read. */
const keptMax = 20_000;
const unknownMax = 2_000;
const strangersMax = 64;

interface Kept {
  readonly run: Run | undefined;
  /** Before it was asked for. */
  readonly atMs: number;
}

interface Reading {
  readonly found: Promise<Found>;
  readonly atMs: number;
}

/**
 * One reading for all that ask for a name at once. Names that are tried at random share a few
 * readings at a time, and push nothing out that was found.
 */
export function createRunCache(clock: Pick<Clock, 'monotonic'>): RunCache {
  const known = new Map<string, Kept>();
  const unknown = new Map<string, Kept>();
  const readings = new Map<string, Reading>();
  /** Since when runs are over that were ended here, for as long as they may be read as open. */
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

/** Those that were read longest ago go first. */
function keep(among: Map<string, Kept>, name: string, one: Kept, most: number) {
  among.delete(name);
  among.set(name, one);
  if (among.size <= most) return;
  const [oldest] = among.keys();
  if (oldest !== undefined) among.delete(oldest);
}
