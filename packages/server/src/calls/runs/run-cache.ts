import type { Run } from '../../domain/run.ts';
import type { Clock } from '../../lib/clock.ts';

export type RunLookup = Run | undefined | 'busy';

export interface RunCache {
  read(name: string, select: () => Promise<Run | undefined>): RunLookup | Promise<RunLookup>;
  made(run: Run, names: readonly string[]): void;
  ended(app: string, id: string): void;
}

export const freshMs = 500;

/** A slower read is discarded, because the run might have ended since. */
export const staleMs = 1_000;

const knownMax = 20_000;
const unknownMax = 2_000;
const unknownReadsMax = 64;

interface CachedRun {
  readonly run: Run | undefined;
  /** Taken before the read. */
  readonly atMs: number;
}

interface PendingRead {
  readonly result: Promise<RunLookup>;
  readonly atMs: number;
}

/**
 * Concurrent readers of a name share one read. Random names share few slots and never evict an
 * existing run.
 */
export function createRunCache(clock: Pick<Clock, 'monotonic'>): RunCache {
  const known = new Map<string, CachedRun>();
  const unknown = new Map<string, CachedRun>();
  const pendingReads = new Map<string, PendingRead>();
  /** Runs ended by this process, while reads may still show them open. */
  const over = new Map<string, number>();
  let unknownReads = 0;
  return {
    read(name, select) {
      const cached = known.get(name) ?? unknown.get(name);
      if (cached !== undefined && isWithin(freshMs, cached.atMs)) return unlessOver(cached.run);
      const shared = pendingReads.get(name);
      if (shared !== undefined && isWithin(freshMs, shared.atMs)) return shared.result;
      const isUnknown = !known.has(name);
      if (isUnknown && unknownReads >= unknownReadsMax) return 'busy';
      const atMs = clock.monotonic();
      const pending = { result: readOne(name, select, { isUnknown, atMs }), atMs };
      pendingReads.set(name, pending);
      return pending.result;
    },
    made(run, names) {
      for (const name of names) cacheRun(known, name, { run, atMs: clock.monotonic() }, knownMax);
    },
    ended(app, id) {
      for (const [name, atMs] of over) if (!isWithin(staleMs, atMs)) over.delete(name);
      over.set(`${app} ${id}`, clock.monotonic());
    },
  };

  async function readOne(
    name: string,
    select: () => Promise<Run | undefined>,
    { isUnknown, atMs }: { readonly isUnknown: boolean; readonly atMs: number },
  ): Promise<RunLookup> {
    if (isUnknown) unknownReads += 1;
    try {
      const run = await select();
      if (!isWithin(staleMs, atMs)) return 'busy';
      if (run === undefined) {
        // The run may have been pruned.
        known.delete(name);
        cacheRun(unknown, name, { run, atMs }, unknownMax);
      } else cacheRun(known, name, { run, atMs }, knownMax);
      return unlessOver(run);
    } finally {
      if (isUnknown) unknownReads -= 1;
      if (pendingReads.get(name)?.atMs === atMs) pendingReads.delete(name);
    }
  }

  function isWithin(ms: number, atMs: number): boolean {
    return clock.monotonic() - atMs < ms;
  }

  function unlessOver(run: Run | undefined): Run | undefined {
    return over.size > 0 && run !== undefined && over.has(`${run.app} ${run.id}`) ? undefined : run;
  }
}

function cacheRun(among: Map<string, CachedRun>, name: string, one: CachedRun, most: number) {
  among.delete(name);
  among.set(name, one);
  if (among.size <= most) return;
  const [oldest] = among.keys();
  if (oldest !== undefined) among.delete(oldest);
}
