import type { Follower, Following } from '../model/live-call.ts';
import type { Shown } from '../model/operation.ts';
import type { CallResult } from '../model/result.ts';
import { createTextLog, type TextLog } from './text-log.ts';

/** The followers of a streamed call: each is told all of it, in order, at its own pace. */
export interface Followers {
  /** Tells it what has come after the delta `after`, then what comes. */
  add(follower: Follower, after: number): Following;
  /** Tells a piece of what is shown. */
  tell(shown: Shown): void;
  /** Tells the followers of now their end; a later one follows the call on. */
  endPresent(result: CallResult): void;
  /** Tells all followers what the call came to, later ones as well. */
  end(result: CallResult): void;
  /** How many are told what comes. */
  count(): number;
  /** How many deltas have been told. */
  deltas(): number;
  /** The most bytes that any of them has got through to its caller. */
  deliveredBytes(): number;
}

/** What is made known of followers. */
export interface FollowersParts {
  /** Whether the text so far is kept, for later followers. */
  readonly isKept: boolean;
  /** True while a follower is about to come: what comes until then is kept for it. */
  readonly isAwaited: () => boolean;
  /** No follower takes what comes, or one does again. */
  readonly onHeld: (isHeld: boolean) => void;
  /** The last one has left. */
  readonly onEmpty: (why: 'left' | 'stalled') => void;
}

interface Entry {
  readonly follower: Follower;
  /** The last delta that it was told. */
  at: number;
  isHeld: boolean;
  bytes: number;
}

interface State extends FollowersParts {
  readonly log: TextLog;
  readonly present: Set<Entry>;
  isHeld: boolean;
  /** Content of pieces without a text: it comes with the next one. */
  silentBytes: number;
  deliveredBytes: number;
  result: CallResult | undefined;
}

/** There is no follower yet. */
export function createFollowers(parts: FollowersParts): Followers {
  const log = createTextLog(parts.isKept);
  const first = { isHeld: false, silentBytes: 0, deliveredBytes: 0, result: undefined };
  const state: State = { ...parts, ...first, log, present: new Set() };
  const { present } = state;
  return {
    add(follower, after) {
      const entry = { follower, at: after, isHeld: false, bytes: 0 };
      present.add(entry);
      updateHeld(state);
      // It is told nothing before it knows its following.
      queueMicrotask(() => begin(state, entry));
      return followingOf(state, entry);
    },
    tell: (shown) => tell(state, shown),
    endPresent(result) {
      for (const entry of present) end(state, entry, result);
    },
    end(result) {
      state.result = result;
      for (const entry of present) end(state, entry, result);
    },
    count: () => present.size,
    deltas: log.last,
    deliveredBytes: () => state.deliveredBytes,
  };
}

function tell(state: State, shown: Shown) {
  if (shown.text === '') {
    state.silentBytes += shown.bytes;
    return;
  }
  const { log, present, silentBytes } = state;
  state.silentBytes = 0;
  const piece = silentBytes === 0 ? shown : { ...shown, bytes: silentBytes + shown.bytes };
  let isTaken = present.size > 0;
  for (const { isHeld, at } of present) if (isHeld || at < log.last()) isTaken = false;
  const number = state.isKept || !isTaken ? log.append(piece) : log.skip();
  if (present.size === 0 && !state.isAwaited()) log.forget();
  for (const entry of present) {
    if (!entry.isHeld && entry.at === number - 1) give(state, entry, piece);
  }
}

function give(state: State, entry: Entry, { text, bytes }: Shown) {
  entry.at = state.log.last();
  entry.follower.onDelta(text, entry.at, bytes);
}

function begin(state: State, entry: Entry) {
  if (!state.present.has(entry)) return;
  if (state.result !== undefined) end(state, entry, state.result);
  else if (!entry.isHeld) catchUp(state, entry);
}

function catchUp(state: State, entry: Entry) {
  const { log } = state;
  if (entry.at >= log.last()) return;
  const piece = log.since(entry.at);
  log.forget();
  give(state, entry, piece);
}

/** The end comes with all that is left: it says the whole answer once more anyway. */
function end(state: State, entry: Entry, result: CallResult) {
  catchUp(state, entry);
  remove(state, entry);
  entry.follower.onEnd(result);
}

function remove(state: State, entry: Entry) {
  state.present.delete(entry);
  updateHeld(state);
}

function updateHeld(state: State) {
  let isHeld = state.present.size > 0;
  for (const entry of state.present) if (!entry.isHeld) isHeld = false;
  if (isHeld === state.isHeld) return;
  state.isHeld = isHeld;
  state.onHeld(isHeld);
}

function followingOf(state: State, entry: Entry): Following {
  const { present } = state;
  return {
    hold() {
      entry.isHeld = true;
      updateHeld(state);
    },
    release() {
      entry.isHeld = false;
      updateHeld(state);
      if (present.has(entry)) catchUp(state, entry);
    },
    delivered(bytes) {
      entry.bytes += bytes;
      state.deliveredBytes = Math.max(state.deliveredBytes, entry.bytes);
    },
    leave(why) {
      if (!present.has(entry)) return;
      remove(state, entry);
      state.log.forget();
      if (present.size === 0) state.onEmpty(why);
    },
  };
}
