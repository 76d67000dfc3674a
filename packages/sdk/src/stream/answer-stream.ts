import { asTyped } from '../lib/typed.ts';
import type { StreamCall } from './stream-call.ts';
import type { AnswerStream, StreamEvent } from './stream-types.ts';

type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * The stream of a call. Events are read on demand. Once `final` is called too, they are read at
 * once and stored for the loop.
 */
export function createAnswerStream<Event extends StreamEvent<Answer>, Answer>(
  call: StreamCall<Answer>,
): AnswerStream<Event, Answer> {
  const source = createSource<Event, Answer>(call);
  let answer: Promise<Answer> | undefined;
  let isTaken = false;

  async function finish(): Promise<Answer> {
    const outcome = await source.readToEnd();
    if (outcome.kind === 'answered') return outcome.answer;
    const collect = call.collector();
    if (collect === undefined) throw outcome.error;
    return collect();
  }

  function take(): Events<Event> {
    if (isTaken) throw new TypeError('a stream can be consumed only once: as events or as text()');
    isTaken = true;
    return { next: source.next, return: source.leave };
  }

  return {
    [Symbol.asyncIterator]: take,
    text: () => {
      const events = take();
      return { [Symbol.asyncIterator]: () => textsOf(events) };
    },
    final: () => {
      answer ??= finish();
      // The loop throws the same error, so a caller that handles it there must not handle it twice.
      answer.catch(() => {});
      return answer;
    },
  };
}

const noMore = { done: true, value: undefined } as const;

interface Events<Event> {
  next(): Promise<IteratorResult<Event, undefined>>;
  return(): Promise<typeof noMore>;
}

function createSource<Event, Answer>(call: StreamCall<Answer>) {
  const queue: Event[] = [];
  let outcome: Outcome<Answer> | undefined;
  let pendingRead: Promise<void> | undefined;
  let isThrown = false;

  async function read(): Promise<void> {
    try {
      const event = await call.next();
      // A call's route sends only its own events.
      queue.push(asTyped<Event>(event));
      if (event.type === 'finish') outcome = { kind: 'answered', answer: event.answer };
    } catch (error) {
      outcome = { kind: 'failed', error };
    }
    pendingRead = undefined;
  }

  /** A loop and `final` may read at the same time. */
  function readOne(): Promise<void> {
    pendingRead ??= read();
    return pendingRead;
  }

  /** Bounded by the call's deadline. */
  async function readToEnd(): Promise<Outcome<Answer>> {
    while (outcome === undefined) await readOne();
    return outcome;
  }

  async function next(): Promise<IteratorResult<Event, undefined>> {
    while (queue.length === 0 && outcome === undefined) await readOne();
    const event = queue.shift();
    if (event !== undefined) return { done: false, value: event };
    if (outcome?.kind !== 'failed' || isThrown) return noMore;
    isThrown = true;
    throw outcome.error;
  }

  /** At once, even while a read waits for an event. */
  async function leave(): Promise<typeof noMore> {
    if (outcome === undefined) call.leave();
    await readToEnd();
    isThrown = true;
    queue.length = 0;
    return noMore;
  }

  return { readToEnd, next, leave };
}

function textsOf(events: Events<StreamEvent<unknown>>): Events<string> {
  return {
    return: events.return,
    async next() {
      for (;;) {
        const { done, value } = await events.next();
        if (done === true) return noMore;
        if (value.type === 'text' || value.type === 'json') {
          return { done: false, value: value.text };
        }
      }
    },
  };
}
