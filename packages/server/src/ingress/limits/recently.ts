/** What was seen within a length of time, the latest at the end. Every step of it is O(1). */
export interface Recently<T> {
  /** Moves it to the end. */
  see(entry: Seen<T>, nowMs: number): void;
  /** Takes out what was seen too long ago. */
  forget(nowMs: number): void;
}

/** One thing that may be in such a list, and is there once at most. */
export interface Seen<T> {
  readonly item: T;
  atMs: number;
  isListed: boolean;
  before: Seen<T> | undefined;
  after: Seen<T> | undefined;
}

/** Something that was not seen yet. */
export function unseen<T>(item: T): Seen<T> {
  return { item, atMs: 0, isListed: false, before: undefined, after: undefined };
}

/** An empty list; `onGone` is told what was not seen again for `keptMs`. */
export function createRecently<T>(keptMs: number, onGone: (item: T) => void): Recently<T> {
  // A chain, not a map: what is moved to the end of a map with every call is paid for with every
  // call.
  let first: Seen<T> | undefined;
  let last: Seen<T> | undefined;
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
        onGone(next.item);
      }
    },
  };

  function unlink(entry: Seen<T>) {
    if (entry.before === undefined) first = entry.after;
    else entry.before.after = entry.after;
    if (entry.after === undefined) last = entry.before;
    else entry.after.before = entry.before;
    entry.before = undefined;
    entry.after = undefined;
    entry.isListed = false;
  }
}
