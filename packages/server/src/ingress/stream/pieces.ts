import { nextTurn } from '../../lib/clock.ts';
import { createOneShot } from '../../lib/one-shot.ts';
import type { AnswerStream, Sink } from '../exchange/sink.ts';

/**
 * Each piece is made in its own turn of the event loop, once the client's socket took the previous
 * one.
 */
export function inPieces(
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
