import type { Vector } from '../../domain/vector.ts';
import type { Answer } from '../exchange/answer.ts';
import { inPieces } from './pieces.ts';

/** So many numbers are written at once: it takes a few milliseconds. */
export const numbersAtOnce = 16_384;

/**
 * An answer of vectors: `whole` is its JSON with the one empty list that they stand in, `write`
 * what becomes of each of them. What is long is written in pieces, each when the client has taken
 * the one before: thousands of vectors are more text than a process may make in one go, or hold.
 */
export function vectorAnswer(
  vectors: readonly Vector[],
  parts: {
    readonly whole: string;
    readonly write: (vector: Vector, index: number) => string;
    readonly headers: Answer['headers'];
  },
): Answer {
  const { whole, write, headers } = parts;
  const at = whole.indexOf('[]') + 1;
  const texts = textsOf(vectors, { head: whole.slice(0, at), tail: whole.slice(at), write });
  const first = texts.next().value ?? '';
  const second = texts.next();
  if (second.done === true) return { status: 200, body: first, headers };
  const stream = inPieces(first, second.value, texts);
  return { status: 200, body: '', headers, stream };
}

/** The JSON in pieces of at least {@link numbersAtOnce} numbers, but the last one. */
function* textsOf(
  vectors: readonly Vector[],
  {
    head,
    tail,
    write,
  }: {
    readonly head: string;
    readonly tail: string;
    readonly write: (vector: Vector, index: number) => string;
  },
): Generator<string, undefined> {
  let text = head;
  let numbers = 0;
  for (const [index, vector] of vectors.entries()) {
    if (numbers > numbersAtOnce) {
      yield text;
      text = '';
      numbers = 0;
    }
    text += (index === 0 ? '' : ',') + write(vector, index);
    numbers += vector.length;
  }
  yield text + tail;
}

/** A vector as JSON: each number in the fewest digits that are it exactly. */
export function numbersOf(vector: Vector): string {
  return JSON.stringify(vector instanceof Float32Array ? Array.from(vector) : vector);
}
