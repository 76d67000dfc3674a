import type { Run } from '../../domain/run.ts';
import type { Clock } from '../../lib/clock.ts';

/** What was found: a run, none, or that too many are being looked for to look for one more. */
export type Found = Run | undefined | 'busy';

/** Runs that were read lately. */
export interface RunCache {
  /** What the store has under a name: as it was read up to {@link freshMs} ago, or reads now. */
  read(name: string, select: () => Promise<Run | undefined>): Found | Promise<Found>;
  /** It was ended here: what was read before says otherwise. */
  ended(app: string, id: string): void;
}

/** A run that was ended is used no longer than this, wherever it was ended; with time to spare. */
export const freshMs = 500;

/** Names that are kept, and those that are being read of which no run is known. */
const keptMax = 20_000;
const strangersMax = 64;

interface Kept {
  readonly run: Run | undefined;
  readonly atMs: number;
}

/**
 * One reading for all that ask for a name at once. Names that are tried at random share a few
 * readings at a time, and what was found lately is not among them.
 */
export function createRunCache(clock: Pick<Clock, 'monotonic'>): RunCache {
  const kept = new Map<string, Kept>();
  const reading = new Map<string, Promise<Found>>();
  /** Since when runs are over that were ended here, for as long as they might be taken for open. */
  const over = new Map<string, number>();
  let strangers = 0;
  return {
    read(name, select) {
      const known = kept.get(name);
      if (known !== undefined && isFresh(known.atMs)) return unlessOver(known.run);
      const shared = reading.get(name);
      if (shared !== undefined) return shared;
      const isStranger = known?.run === undefined;
      if (isStranger && strangers >= strangersMax) return 'busy';
      const read = readOne(name, select, isStranger);
      reading.set(name, read);
      return read;
    },
    ended(app, id) {
      for (const [name, atMs] of over) if (!isFresh(atMs)) over.delete(name);
      over.set(`${app} ${id}`, clock.monotonic());
    },
  };

  function isFresh(atMs: number): boolean {
    return clock.monotonic() - atMs < freshMs;
  }

  function unlessOver(run: Run | undefined): Run | undefined {
    return over.size > 0 && run !== undefined && over.has(`${run.app} ${run.id}`) ? undefined : run;
  }

  async function readOne(
    name: string,
    select: () => Promise<Run | undefined>,
    isStranger: boolean,
  ): Promise<Found> {
    if (isStranger) strangers += 1;
    const atMs = clock.monotonic();
    try {
      const run = await select();
      keep(name, { run, atMs });
      return unlessOver(run);
    } finally {
      if (isStranger) strangers -= 1;
      reading.delete(name);
    }
  }

  /** Those that were read longest ago go first. */
  function keep(name: string, one: Kept) {
    kept.delete(name);
    kept.set(name, one);
    if (kept.size <= keptMax) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
}
