import type { StreamCall } from './stream-call.ts';
import type { AnswerStream, StreamEvent } from './stream-types.ts';

type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * The stream of a call. Events are read as they are asked for; once `final` is asked for as well,
 * they are read at once and kept for the loop.
 */
export function createAnswerStream<Event extends StreamEvent<Answer>, Answer>(
  call: StreamCall<Answer>,
): AnswerStream<Event, Answer> {
  const queue: Event[] = [];
  let outcome: Outcome<Answer> | undefined;
  let reading: Promise<void> | undefined;
  let answer: Promise<Answer> | undefined;
  let isTaken = false;

  async function read(): Promise<void> {
    try {
      const event = await call.next();
      if (isOf<Event>(event)) queue.push(event);
      if (event.type === 'finish') outcome = { kind: 'answered', answer: event.answer };
    } catch (error) {
      outcome = { kind: 'failed', error };
    }
    reading = undefined;
  }

  /** A loop and `final` may ask at the same time. */
  function readOne(): Promise<void> {
    reading ??= read();
    return reading;
  }

  async function* iterate(): AsyncGenerator<Event, void> {
    try {
      for (;;) {
        const event = queue.shift();
        if (event !== undefined) yield event;
        else if (outcome === undefined) await readOne();
        else if (outcome.kind === 'failed') throw outcome.error;
        else return;
      }
    } finally {
      await leave();
    }
  }

  /** Of a loop that was left before the end. */
  async function leave(): Promise<void> {
    if (outcome !== undefined) return;
    call.leave();
    // Bounded: what is asked for next is the end.
    while (outcome === undefined) await readOne();
  }

  async function finish(): Promise<Answer> {
    // Bounded by the call's deadline.
    while (outcome === undefined) await readOne();
    if (outcome.kind === 'answered') return outcome.answer;
    if (call.isBroken()) return call.collect();
    throw outcome.error;
  }

  function take(): AsyncGenerator<Event, void> {
    if (isTaken)
      throw new TypeError('a stream can be iterated over once: its events, or its text()');
    isTaken = true;
    return iterate();
  }

  return {
    [Symbol.asyncIterator]: take,
    text: () => textsOf(take()),
    final: () => {
      answer ??= finish();
      return answer;
    },
  };
}

/** A call's route has only events of its own. */
function isOf<Event>(_event: unknown): _event is Event {
  return true;
}

async function* textsOf(events: AsyncGenerator<unknown, void>): AsyncGenerator<string, void> {
  for await (const event of events) {
    const { type, text } = Object(event);
    if (type === 'text' || type === 'json') yield text;
  }
}
