/** Apps with requests in flight, or recently active or rejected. Every step is O(1). */
export interface ActiveApps {
  of(app: string): Readonly<Held>;
  /** Returns the app's counters, which the caller must update. */
  enter(app: string): Held;
  leave(app: string, nowMs: number): void;
  /** A rejected app has demand. Below its share it also lacks permits. */
  refuse(app: string, isBelowPart: boolean, nowMs: number): void;
  count(): number;
  hasCompetingApps(app: string, nowMs: number): boolean;
  /** Another app was rejected recently while below its share. */
  areOthersBelowShare(app: string, nowMs: number): boolean;
  /** Includes this app. */
  sharing(app: string, nowMs: number): number;
  present(): ReadonlyMap<string, Readonly<Held>>;
}

export interface Held {
  requests: number;
  bodyBytes: number;
}

interface Presence extends Held {
  readonly refused: RecentApp;
  readonly served: RecentApp;
}

/** An app has demand for this time after its last request or rejection. */
export const demandMs = 1_000;
/** An app shares for this time after its last permit, because calls come in bursts. */
export const sharesForMs = 10_000;

const nothing: Readonly<Held> = { requests: 0, bodyBytes: 0 };

export function createActiveApps(): ActiveApps {
  // Exactly the apps that share.
  const known = new Map<string, Presence>();
  const refused = createRecently(demandMs, removeIdle);
  const served = createRecently(sharesForMs, removeIdle);
  const lastDemand = createLatest();
  const lastShortage = createLatest();
  let inFlight = 0;
  return {
    ...{ enter, leave, refuse, hasCompetingApps, sharing },
    of: (app) => known.get(app) ?? nothing,
    count: () => inFlight,
    areOthersBelowShare: (app, nowMs) => nowMs - lastShortage.otherAtMs(app) <= sharesForMs,
    present: () => new Map([...known].filter(([, { requests }]) => requests > 0)),
  };

  function enter(app: string): Held {
    const presence = presenceOf(app);
    if (presence.requests === 0) inFlight += 1;
    presence.requests += 1;
    return presence;
  }

  function leave(app: string, nowMs: number) {
    const presence = presenceOf(app);
    presence.requests -= 1;
    if (presence.requests > 0) return;
    inFlight -= 1;
    lastDemand.record(app, nowMs);
    served.record(presence.served, nowMs);
  }

  function refuse(app: string, isBelowPart: boolean, nowMs: number) {
    lastDemand.record(app, nowMs);
    if (isBelowPart) lastShortage.record(app, nowMs);
    refused.record(presenceOf(app).refused, nowMs);
  }

  function hasCompetingApps(app: string, nowMs: number): boolean {
    const others = inFlight - (known.get(app)?.requests ? 1 : 0);
    return others > 0 || nowMs - lastDemand.otherAtMs(app) <= demandMs;
  }

  function sharing(app: string, nowMs: number): number {
    refused.removeExpired(nowMs);
    served.removeExpired(nowMs);
    return known.size + (known.has(app) ? 0 : 1);
  }

  function presenceOf(app: string): Presence {
    const existing = known.get(app);
    if (existing !== undefined) return existing;
    const presence = { ...nothing, refused: createRecentApp(app), served: createRecentApp(app) };
    known.set(app, presence);
    return presence;
  }

  function removeIdle(app: string) {
    const presence = known.get(app);
    if (presence === undefined || presence.requests > 0) return;
    if (!presence.refused.isListed && !presence.served.isListed) known.delete(app);
  }
}

function createLatest() {
  // The last two different apps are enough to answer for every app.
  let last = { app: '', atMs: Number.NEGATIVE_INFINITY };
  let lastOther = last;
  return {
    record(app: string, nowMs: number) {
      if (app === last.app) {
        last.atMs = nowMs;
        return;
      }
      lastOther = last;
      last = { app, atMs: nowMs };
    },
    otherAtMs: (app: string) => (last.app === app ? lastOther : last).atMs,
  };
}

/** Ordered by last activity, latest at the end. */
interface Recently {
  record(entry: RecentApp, nowMs: number): void;
  removeExpired(nowMs: number): void;
}

interface RecentApp {
  readonly app: string;
  atMs: number;
  isListed: boolean;
  before: RecentApp | undefined;
  after: RecentApp | undefined;
}

function createRecentApp(app: string): RecentApp {
  return { app, atMs: 0, isListed: false, before: undefined, after: undefined };
}

/** `onExpired` gets apps without activity for `retentionMs`. */
function createRecently(retentionMs: number, onExpired: (app: string) => void): Recently {
  // A linked list: moving an entry to the end of a map is slower, and every call does it.
  let first: RecentApp | undefined;
  let last: RecentApp | undefined;
  return {
    record(entry, nowMs) {
      if (entry.isListed) unlink(entry);
      entry.atMs = nowMs;
      entry.isListed = true;
      entry.before = last;
      if (last === undefined) first = entry;
      else last.after = entry;
      last = entry;
    },
    removeExpired(nowMs) {
      for (let next = first; next !== undefined && nowMs - next.atMs > retentionMs; next = first) {
        unlink(next);
        onExpired(next.app);
      }
    },
  };

  function unlink(entry: RecentApp) {
    if (entry.before === undefined) first = entry.after;
    else entry.before.after = entry.after;
    if (entry.after === undefined) last = entry.before;
    else entry.after.before = entry.before;
    entry.before = undefined;
    entry.after = undefined;
    entry.isListed = false;
  }
}
