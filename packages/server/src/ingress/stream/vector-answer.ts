import type { Vector } from '../../domain/vector.ts';
import { nextTurn } from '../../lib/clock.ts';
import { createOneShot } from '../../lib/one-shot.ts';
import type { Answer } from '../exchange/answer.ts';
import type { AnswerStream, Sink } from '../exchange/sink.ts';

export const numbersAtOnce = 16_384;

/**
 * `whole` has an empty list in place of the vectors; `write` encodes each vector. Long responses
 * are written in pieces, one per piece read: thousands of vectors are too much text for one step,
 * or for memory.
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

/** Pieces have at least {@link numbersAtOnce} numbers, except the last. */
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

export function numbersOf(vector: Vector): string {
  return JSON.stringify(vector instanceof Float32Array ? Array.from(vector) : vector);
}

/**
 * Each piece is made in its own turn of the event loop, after the client's socket accepted the
 * previous one.
 */
function inPieces(
  first: string,
  second: string,
  others: Iterator<string, undefined>,
): AnswerStream {
  const ended = createOneShot();
  const ready = [first, second];
  return {
    isReady: true,
    open: (sink) => write(sink),
    leave: ended.fire,
    whenEnded: (run) => void ended.onFire(run),
  };

  function write(sink: Sink) {
    if (ended.hasFired()) return;
    const piece = ready.shift() ?? others.next().value;
    if (piece !== undefined) {
      return sink.write(
        piece,
        Buffer.byteLength(piece),
        () => void nextTurn().then(() => write(sink)),
      );
    }
    sink.end();
    ended.fire();
  }
}
