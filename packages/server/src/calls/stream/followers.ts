import { GrowingText } from '../../lib/growing-text.ts';
import type { Follower, Following } from '../model/live-call.ts';
import type { OutputPiece } from '../model/operation.ts';
import type { CallResult } from '../model/result.ts';

/** Each follower receives everything in order, at its own speed. */
export interface Followers {
  add(follower: Follower, after: number): Following;
  push(output: OutputPiece): void;
  endPresent(result: CallResult): void;
  end(result: CallResult): void;
  count(): number;
  deltas(): number;
  deliveredBytes(): number;
}

export interface FollowersParts {
  readonly isRetained: boolean;
  /** A follower will come soon, so text is retained for it. */
  readonly isAwaited: () => boolean;
  readonly onHeld: (isHeld: boolean) => void;
  readonly onEmpty: (why: 'left' | 'stalled') => void;
}

interface Entry {
  readonly follower: Follower;
  at: number;
  isHeld: boolean;
  bytes: number;
}

interface State extends FollowersParts {
  readonly log: TextLog;
  readonly present: Set<Entry>;
  isHeld: boolean;
  /** Content of textless pieces; counts with the next text. */
  silentBytes: number;
  deliveredBytes: number;
  result: CallResult | undefined;
}

export function createFollowers(parts: FollowersParts): Followers {
  const log = createTextLog(parts.isRetained);
  const first = { isHeld: false, silentBytes: 0, deliveredBytes: 0, result: undefined };
  const state: State = { ...parts, ...first, log, present: new Set() };
  const { present } = state;
  return {
    add(follower, after) {
      const entry = { follower, at: after, isHeld: false, bytes: 0 };
      present.add(entry);
      updateHeld(state);
      // The caller must have its `Following` before the first delta arrives.
      queueMicrotask(() => begin(state, entry));
      return followingOf(state, entry);
    },
    push: (output) => push(state, output),
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

function push(state: State, output: OutputPiece) {
  if (output.text === '') {
    state.silentBytes += output.bytes;
    return;
  }
  const { log, present, silentBytes } = state;
  state.silentBytes = 0;
  const piece = silentBytes === 0 ? output : { ...output, bytes: silentBytes + output.bytes };
  let isTaken = present.size > 0;
  for (const { isHeld, at } of present) if (isHeld || at < log.last()) isTaken = false;
  const number = state.isRetained || !isTaken ? log.append(piece) : log.skip();
  if (present.size === 0 && !state.isAwaited()) log.discard();
  for (const entry of present) {
    if (!entry.isHeld && entry.at === number - 1) give(state, entry, piece);
  }
}

function give(state: State, entry: Entry, { text, bytes }: OutputPiece) {
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
  log.discard();
  give(state, entry, piece);
}

/** Includes the remaining text, since the end repeats the whole answer anyway. */
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
      state.log.discard();
      if (present.size === 0) state.onEmpty(why);
    },
  };
}

interface TextLog {
  /** Returns its number, from 1. */
  append(piece: OutputPiece): number;
  last(): number;
  /** Text after a retained delta, or after the last discarded one. */
  since(number: number): OutputPiece;
  /** Counts a delta that all followers have received; only if nothing is retained. */
  skip(): number;
  discard(): void;
}

export function createTextLog(isRetained: boolean): TextLog {
  let text = new GrowingText();
  let length = 0;
  let bytes = 0;
  let last = 0;
  let lastDiscarded = 0;
  const ends: number[] = [];
  const bytesBy: number[] = [];
  return {
    append(piece) {
      text.add(piece.text);
      length += piece.text.length;
      bytes += piece.bytes;
      if (isRetained) {
        ends.push(length);
        bytesBy.push(bytes);
      }
      last += 1;
      return last;
    },
    last: () => last,
    since(number) {
      const whole = text.whole();
      if (number === lastDiscarded) return { text: whole, bytes };
      const [at = 0, before = 0] = [ends[number - 1], bytesBy[number - 1]];
      return { text: whole.slice(at), bytes: bytes - before };
    },
    skip() {
      last += 1;
      lastDiscarded = last;
      return last;
    },
    discard() {
      if (isRetained) return;
      text = new GrowingText();
      bytes = 0;
      lastDiscarded = last;
    },
  };
}
