import type { Clock } from '../../lib/clock.ts';
import type { ActiveApps, Held } from './active-apps.ts';
import { demandMs, sharesForMs } from './active-apps.ts';
import { type AppRows, createAppMemory, createAppRows, ofAll } from './app-rows.ts';

export function createActiveAppsMemory(apps?: number): SharedArrayBuffer {
  return createAppMemory(fields, apps);
}

const atPresent = ofAll;
/**
 * Name's hash, requests, KiB of bodies; times of the last permit, rejection, and rejection below
 * the share.
 */
const fields = 6;
const [ofRequests, ofKib, ofServed, ofRefused, ofShortage] = [1, 2, 3, 4, 5];

/** Maximum age of the data about apps of other threads. */
const refreshMs = 20;
/** Unit of stored times, which are compared within 32 bits. */
const tickMs = 16;

/** Held amounts are exact. Demand of other apps is at most {@link refreshMs} old. */
export function createSharedActiveApps(
  memory: SharedArrayBuffer,
  clock: Pick<Clock, 'now' | 'monotonic'>,
): ActiveApps {
  const all = new Int32Array(memory);
  const rows = createAppRows(all, fields);
  const own = new Map<string, Presence>();
  // Monotonic clocks start with each thread; this converts them to a common time.
  const startMs = clock.now() - clock.monotonic();
  const tickAt = (nowMs: number) => Math.floor((startMs + nowMs) / tickMs) | 0 || 1;
  const overview = createOverview(all, rows, tickAt);
  const rowOf = (app: string) => own.get(app)?.row ?? rows.of(app);
  return {
    enter(app) {
      const presence = own.get(app) ?? createPresence(all, rows.of(app));
      own.set(app, presence);
      presence.requests += 1;
      if (Atomics.add(all, presence.row + ofRequests, 1) === 0) Atomics.add(all, atPresent, 1);
      return presence;
    },
    leave(app, nowMs) {
      const presence = own.get(app);
      if (presence === undefined) return;
      const { row } = presence;
      presence.requests -= 1;
      Atomics.store(all, row + ofServed, tickAt(nowMs));
      if (Atomics.sub(all, row + ofRequests, 1) === 1) Atomics.sub(all, atPresent, 1);
      if (presence.requests === 0) own.delete(app);
    },
    refuse(app, isBelowPart, nowMs) {
      const row = rowOf(app);
      Atomics.store(all, row + ofRefused, tickAt(nowMs));
      if (isBelowPart) Atomics.store(all, row + ofShortage, tickAt(nowMs));
    },
    of(app) {
      const row = rowOf(app);
      const requests = Atomics.load(all, row + ofRequests);
      const kib = Atomics.load(all, row + ofKib);
      const { bodyBytes = 0, kib: ownKib = 0 } = own.get(app) ?? {};
      return { requests, bodyBytes: bodyBytes + (kib - ownKib) * 1_024 };
    },
    count: () => Atomics.load(all, atPresent),
    hasCompetingApps(app, nowMs) {
      const isPresent = Atomics.load(all, rowOf(app) + ofRequests) > 0;
      if (Atomics.load(all, atPresent) > (isPresent ? 1 : 0)) return true;
      return overview.at(nowMs).withDemand.some((row) => row !== rowOf(app));
    },
    areOthersBelowShare: (app, nowMs) =>
      overview.at(nowMs).belowShare.some((row) => row !== rowOf(app)),
    sharing(app, nowMs) {
      const { sharing } = overview.at(nowMs);
      return sharing.size + (sharing.has(rowOf(app)) ? 0 : 1);
    },
    present: () => new Map(own),
  };
}

/** This thread's part. */
interface Presence extends Held {
  readonly row: number;
  /** Published bytes, rounded up. */
  readonly kib: number;
}

function createPresence(all: Int32Array, row: number): Presence {
  let bytes = 0;
  let kib = 0;
  return {
    row,
    requests: 0,
    get kib() {
      return kib;
    },
    get bodyBytes() {
      return bytes;
    },
    set bodyBytes(next) {
      bytes = next;
      const now = Math.ceil(next / 1_024);
      Atomics.add(all, row + ofKib, now - kib);
      kib = now;
    },
  };
}

interface Overview {
  readonly sharing: ReadonlySet<number>;
  readonly withDemand: readonly number[];
  readonly belowShare: readonly number[];
}

function createOverview(
  all: Int32Array,
  rows: Pick<AppRows, 'list'>,
  tickAt: (nowMs: number) => number,
) {
  let cached: Overview = { sharing: new Set(), withDemand: [], belowShare: [] };
  let cachedAtMs = Number.NEGATIVE_INFINITY;
  return {
    at(nowMs: number): Overview {
      if (nowMs - cachedAtMs < refreshMs) return cached;
      cachedAtMs = nowMs;
      cached = readOverview(tickAt(nowMs));
      return cached;
    },
  };

  function readOverview(tick: number): Overview {
    const used = rows.list();
    const within = (row: number, field: number, ms: number) => {
      const at = Atomics.load(all, row + field);
      return at !== 0 && ((tick - at) | 0) * tickMs <= ms;
    };
    const wasRefused = (row: number) => within(row, ofRefused, demandMs);
    const isPresent = (row: number) => Atomics.load(all, row + ofRequests) > 0;
    return {
      sharing: new Set(
        used.filter(
          (row) => isPresent(row) || wasRefused(row) || within(row, ofServed, sharesForMs),
        ),
      ),
      withDemand: used.filter((row) => wasRefused(row) || within(row, ofServed, demandMs)),
      belowShare: used.filter((row) => within(row, ofShortage, sharesForMs)),
    };
  }
}
