import { GrowingText } from '../../lib/growing-text.ts';
import type { Shown } from '../model/operation.ts';

/** The text of a streamed call, for followers that take it at their own pace. */
export interface TextLog {
  /** Adds a delta; answers its number, from 1. */
  append(piece: Shown): number;
  /** The number of the last delta. */
  last(): number;
  /** What came after a delta, as one text: any that is kept, else the last that was forgotten. */
  since(number: number): Shown;
  /** Counts a delta that all followers have taken, where nothing is kept. */
  skip(): number;
  /** Lets go of all that has come, where nothing is kept. */
  forget(): void;
}

/** An empty text; `isKept`: all of it stays, for later followers. */
export function createTextLog(isKept: boolean): TextLog {
  let text = new GrowingText();
  let length = 0;
  /** Of content, in all that is here. */
  let bytes = 0;
  let last = 0;
  let forgotten = 0;
  /** Where each delta ends, and its content; of the kept ones alone. */
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
