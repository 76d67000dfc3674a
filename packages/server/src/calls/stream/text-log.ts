import { GrowingText } from '../../lib/growing-text.ts';
import type { Shown } from '../model/operation.ts';

export interface TextLog {
  /** Returns its number, from 1. */
  append(piece: Shown): number;
  last(): number;
  /** Text after a kept delta, or after the last forgotten one. */
  since(number: number): Shown;
  /** Counts a delta that all followers took; only if nothing is kept. */
  skip(): number;
  /** Drops past text; only if nothing is kept. */
  forget(): void;
}

/** `isKept`: keeps all text for later followers. */
export function createTextLog(isKept: boolean): TextLog {
  let text = new GrowingText();
  let length = 0;
  /** Content bytes of the whole log. */
  let bytes = 0;
  let last = 0;
  let forgotten = 0;
  /** Ends and content bytes of kept deltas. */
  const ends: number[] = [];
  const bytesBy: number[] = [];
  return {
    append(piece) {
      text.add(piece.text);
      length += piece.text.length;
      bytes += piece.bytes;
      if (isKept) {
        ends.push(length);
        bytesBy.push(bytes);
      }
      last += 1;
      return last;
    },
    last: () => last,
    since(number) {
      const whole = text.whole();
      if (number === forgotten) return { text: whole, bytes };
      const [at = 0, before = 0] = [ends[number - 1], bytesBy[number - 1]];
      return { text: whole.slice(at), bytes: bytes - before };
    },
    skip() {
      last += 1;
      forgotten = last;
      return last;
    },
    forget() {
      if (isKept) return;
      text = new GrowingText();
      bytes = 0;
      forgotten = last;
    },
  };
}
