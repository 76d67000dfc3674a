/** The apps in flight, seen lately or refused: they share what there is. Every step is O(1). */
export interface Attendance {
  /** What an app has. */
  of(app: string): Readonly<Held>;
  /** The app takes a place: what it then has, to be counted in. */
  enter(app: string): Held;
  /** The app leaves a place. */
  leave(app: string, nowMs: number): void;
  /** The app was refused, so it wants something; it lacks places when it has less than its part. */
  refuse(app: string, isBelowPart: boolean, nowMs: number): void;
  /** Apps in flight. */
  count(): number;
  /** Whether an app other than this one wants something now. */
  othersWant(app: string, nowMs: number): boolean;
  /** Whether one other than this was refused a place lately although it had less than its part. */
  othersLack(app: string, nowMs: number): boolean;
  /** How many apps share what there is, this one among them. */
  sharing(app: string, nowMs: number): number;
  /** All apps in flight, and with what. */
  present(): ReadonlyMap<string, Readonly<Held>>;
}

/** What an app has in flight. */
export interface Held {
  requests: number;
  bodyBytes: number;
}

interface Presence extends Held {
  readonly refused: Seen;
  readonly served: Seen;
}

/** For so long after its last request or refusal an app is one that wants places. */
export const wantsForMs = 1_000;
/** And for so long after its last place it is one of those that share: calls come in bursts. */
export const sharesForMs = 10_000;

const nothing: Readonly<Held> = { requests: 0, bodyBytes: 0 };

/** An attendance without an app. */
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

/** When something last happened to any app but a given one. */
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

/** Apps that were seen within a length of time, the latest at the end. */
interface Recently {
  /** Moves it to the end. */
  see(entry: Seen, nowMs: number): void;
  /** Takes out what was seen too long ago. */
  forget(nowMs: number): void;
}

/** An app that may be in such a list, and is there once at most. */
interface Seen {
  readonly app: string;
  atMs: number;
  isListed: boolean;
  before: Seen | undefined;
  after: Seen | undefined;
}

/** One that was not seen yet. */
function unseen(app: string): Seen {
  return { app, atMs: 0, isListed: false, before: undefined, after: undefined };
}

/** An empty list; `onGone` is told what was not seen again for `keptMs`. */
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
