import { giveUp } from '../body.ts';
import type { Deadline } from '../deadline.ts';
import { createSseParser } from './sse.ts';
import { readWireEvent, type WireEvent } from './wire-event.ts';

/** A stream that has begun. */
export interface LiveStream {
  readonly headers: Headers;
  /**
   * The next event; `undefined` where the body ends. Rejects when the connection breaks, or the
   * call ends; one is asked for after the other.
   */
  next(): Promise<WireEvent | undefined>;
  /** Gives the connection up. */
  cancel(): void;
}

/** The events in an answer's body, read no faster than they are asked for. */
export function readLiveStream(
  { headers, body }: Response,
  { deadline, unlink }: { readonly deadline: Deadline; readonly unlink: () => void },
): LiveStream {
  const pieces = readerOf(body);
  const decoder = new TextDecoder();
  const parser = createSseParser();
  const queue: WireEvent[] = [];
  return { headers, next, cancel };

  async function next(): Promise<WireEvent | undefined> {
    // Bounded by the deadline, which ends the race.
    while (queue.length === 0) {
      const { done, value } = await deadline.race(pieces.read());
      if (done) return undefined;
      for (const event of parser.push(decoder.decode(value, { stream: true }))) {
        const read = readWireEvent(event);
        if (read !== undefined) queue.push(read);
      }
    }
    return queue.shift();
  }

  function cancel(): void {
    unlink();
    giveUp(pieces.cancel());
  }
}

type Pieces = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

function readerOf(body: Response['body']): Pieces {
  if (typeof body?.getReader === 'function') return body.getReader();
  throw new Error('the body cannot be read as it comes: give createClient a fetch whose can');
}
