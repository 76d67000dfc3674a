/** Apps in flight, recently seen or refused. Every step is O(1). */
export interface Attendance {
  of(app: string): Readonly<Held>;
  /** Returns its counters, which the caller must update. */
  enter(app: string): Held;
  leave(app: string, nowMs: number): void;
  /** A refused app wants something; below its part it also lacks places. */
  refuse(app: string, isBelowPart: boolean, nowMs: number): void;
  count(): number;
  othersWant(app: string, nowMs: number): boolean;
  /** Another app was refused lately while below its part. */
  othersLack(app: string, nowMs: number): boolean;
  /** Includes this app. */
  sharing(app: string, nowMs: number): number;
  present(): ReadonlyMap<string, Readonly<Held>>;
}

export interface Held {
  requests: number;
  bodyBytes: number;
}

interface Presence extends Held {
  readonly refused: Seen;
  readonly served: Seen;
}

/** After its last request or refusal an app wants places for so long. */
export const wantsForMs = 1_000;
/** After its last place it still shares, since calls come in bursts. */
export const sharesForMs = 10_000;

const nothing: Readonly<Held> = { requests: 0, bodyBytes: 0 };

export function createAttendance(): Attendance {
  // All apps that share, and no other.
  const known = new Map<string, Presence>();
  const refused = createRecently(wantsForMs, forgetIdle);
  const served = createRecently(sharesForMs, forgetIdle);
  const wanting = createLatest();
  const lacking = createLatest();
  let inFlight = 0;
  return {
    ...{ enter, leave, refuse, othersWant, sharing },
    of: (app) => known.get(app) ?? nothing,
    count: () => inFlight,
    othersLack: (app, nowMs) => nowMs - lacking.otherAtMs(app) <= sharesForMs,
    present: () => new Map([...known].filter(([, { requests }]) => requests > 0)),
  };

  function enter(app: string): Held {
    const presence = meet(app);
    if (presence.requests === 0) inFlight += 1;
    presence.requests += 1;
    return presence;
  }

  function leave(app: string, nowMs: number) {
    const presence = meet(app);
    presence.requests -= 1;
    if (presence.requests > 0) return;
    inFlight -= 1;
    wanting.see(app, nowMs);
    served.see(presence.served, nowMs);
  }

  function refuse(app: string, isBelowPart: boolean, nowMs: number) {
    wanting.see(app, nowMs);
    if (isBelowPart) lacking.see(app, nowMs);
    refused.see(meet(app).refused, nowMs);
  }

  function othersWant(app: string, nowMs: number): boolean {
    const others = inFlight - (known.get(app)?.requests ? 1 : 0);
    return others > 0 || nowMs - wanting.otherAtMs(app) <= wantsForMs;
  }

  function sharing(app: string, nowMs: number): number {
    refused.forget(nowMs);
    served.forget(nowMs);
    return known.size + (known.has(app) ? 0 : 1);
  }

  function meet(app: string): Presence {
    const met = known.get(app);
    if (met !== undefined) return met;
    const presence = { ...nothing, refused: unseen(app), served: unseen(app) };
    known.set(app, presence);
    return presence;
  }

  function forgetIdle(app: string) {
    const presence = known.get(app);
    if (presence === undefined || presence.requests > 0) return;
    if (!presence.refused.isListed && !presence.served.isListed) known.delete(app);
  }
}

function createLatest() {
  // The last two apps that differ answer it for every app.
  let last = { app: '', atMs: Number.NEGATIVE_INFINITY };
  let lastOther = last;
  return {
    see(app: string, nowMs: number) {
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

/** Ordered by last sight, latest at the end. */
interface Recently {
  see(entry: Seen, nowMs: number): void;
  forget(nowMs: number): void;
}

interface Seen {
  readonly app: string;
  atMs: number;
  isListed: boolean;
  before: Seen | undefined;
  after: Seen | undefined;
}

function unseen(app: string): Seen {
  return { app, atMs: 0, isListed: false, before: undefined, after: undefined };
}

/** `onGone` gets apps unseen for `keptMs`. */
function createRecently(keptMs: number, onGone: (app: string) => void): Recently {
  // A chain, not a map: what is moved to the end of a map with every call is paid for with every
  // call.
  let first: Seen | undefined;
  let last: Seen | undefined;
  return {
    see(entry, nowMs) {
      if (entry.isListed) unlink(entry);
      entry.atMs = nowMs;
      entry.isListed = true;
      entry.before = last;
      if (last === undefined) first = entry;
      else last.after = entry;
      last = entry;
    },
    forget(nowMs) {
      for (let next = first; next !== undefined && nowMs - next.atMs > keptMs; next = first) {
        unlink(next);
        onGone(next.app);
      }
    },
  };

  function unlink(entry: Seen) {
    if (entry.before === undefined) first = entry.after;
    else entry.before.after = entry.after;
    if (entry.after === undefined) last = entry.before;
    else entry.after.before = entry.before;
    entry.before = undefined;
    entry.after = undefined;
    entry.isListed = false;
  }
}
