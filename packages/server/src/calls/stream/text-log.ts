import type { Shown } from '../operations/operation.ts';

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

/** Pieces that wait to be joined: a text of very many small ones takes many times its size. */
const piecesMax = 256;

/** An empty text; `isKept`: all of it stays, for later followers. */
export function createTextLog(isKept: boolean): TextLog {
  let text = '';
  let pieces: string[] = [];
  let length = 0;
  /** Of content, in all that is here. */
  let bytes = 0;
  let last = 0;
  let forgotten = 0;
  /** Where each delta ends; of the kept ones alone. */
  const ends: { readonly length: number; readonly bytes: number }[] = [];
  return {
    append(piece) {
      pieces.push(piece.text);
      if (pieces.length >= piecesMax) fold();
      length += piece.text.length;
      bytes += piece.bytes;
      if (isKept) ends.push({ length, bytes });
      last += 1;
      return last;
    },
    last: () => last,
    since(number) {
      fold();
      if (number === forgotten) return { text, bytes };
      const { length: at = 0, bytes: before = 0 } = ends[number - 1] ?? {};
      return { text: text.slice(at), bytes: bytes - before };
    },
    skip() {
      last += 1;
      forgotten = last;
      return last;
    },
    forget() {
      if (isKept) return;
      text = '';
      pieces = [];
      bytes = 0;
      forgotten = last;
    },
  };

  function fold() {
    if (pieces.length === 0) return;
    text += pieces.join('');
    pieces = [];
  }
}
