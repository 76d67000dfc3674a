import { nextTurn } from '../../lib/clock.ts';
import { createOneShot } from '../../lib/one-shot.ts';
import type { AnswerStream, Sink } from '../exchange/sink.ts';

/**
 * A long answer that is all there, written piece by piece: each is made when the client's socket
 * has taken the one before, and in a turn of the event loop of its own.
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
