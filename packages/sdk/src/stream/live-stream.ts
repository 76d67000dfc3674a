import type { StreamError } from '@model-gateway/contract';
import { type AttemptParts, giveUp, readBody } from '../call/attempt.ts';
import type { Deadline } from '../call/deadline.ts';
import { badResponseFailure, type Outcome, parseJson } from '../call/failure.ts';
import { isRecord } from '../lib/is-record.ts';
import { asTyped } from '../lib/typed.ts';
import type { JsonEvent, StartEvent, TextEvent, ToolCallEvent } from './stream-types.ts';

/** A stream whose first event is there. */
export interface LiveStream {
  /**
   * The next event. Rejects when the connection breaks or ends, or the call does; one is asked for
   * after the other, and no more is read than that needs.
   */
  next(): Promise<WireEvent>;
  /** Gives the connection up. */
  cancel(): void;
}

/** Takes an answer as a stream, once its first event has come. */
export async function takeStream(
  { runtime, deadline }: AttemptParts,
  response: Response,
  unlink: () => void,
): Promise<Outcome<LiveStream>> {
  const { status, headers, body } = response;
  if (typeof body?.getReader !== 'function') throw new Error('the response has no body');
  const reader = body.getReader();
  if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) {
    const text = await readBody(reader, deadline);
    const received = { status, headers, text, epochMs: runtime.epochMs() };
    return { kind: 'failed', failure: badResponseFailure(received, 'an event stream') };
  }
  const live = readStream(reader, deadline, unlink);
  try {
    live.putBack(await live.next());
    return { kind: 'answered', answer: live, headers };
  } catch (error) {
    live.cancel();
    throw error;
  }
}

function readStream(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  deadline: Deadline,
  unlink: () => void,
) {
  const decoder = new TextDecoder();
  const parse = createSseParser();
  const queue: WireEvent[] = [];
  return {
    async next(): Promise<WireEvent> {
      // Bounded by the deadline, which ends the race.
      for (;;) {
        const event = queue.shift();
        if (event !== undefined) return event;
        const { done, value } = await deadline.race(reader.read());
        if (done) throw new Error('the stream ended');
        queue.push(...parse(decoder.decode(value, { stream: true })));
      }
    },
    putBack: (event: WireEvent) => void queue.unshift(event),
    cancel(): void {
      unlink();
      giveUp(reader.cancel());
    },
  };
}

/** What the gateway sends, with the event's name as its type. */
export type WireEvent =
  | StartEvent
  | TextEvent
  | JsonEvent
  | ToolCallEvent
  | { readonly type: 'finish' }
  | ({ readonly type: 'error' } & StreamError);

/**
 * A parser of an event stream, at its beginning: it takes pieces of any size, and gives the events
 * that are complete with each. Source: WHATWG HTML, section 9.2. Events of names that are not known
 * yet are passed over. It throws for an event whose data is no object of JSON.
 */
export function createSseParser(): (piece: string) => readonly WireEvent[] {
  let line = '';
  let endsWithCr = false;
  let name = '';
  let data: string | undefined;

  return (piece) => {
    const events: WireEvent[] = [];
    // A CRLF may come in two pieces.
    const text = endsWithCr ? piece.replace(/^\n/, '') : piece;
    if (piece !== '') endsWithCr = piece.endsWith('\r');
    const lines = text.split(/\r\n|[\r\n]/);
    const rest = lines.pop() ?? '';
    for (const end of lines) {
      const event = takeLine(line + end);
      if (event !== undefined) events.push(event);
      line = '';
    }
    line += rest;
    return events;
  };

  function takeLine(whole: string): WireEvent | undefined {
    if (whole === '') return takeEvent();
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(whole) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data = data === undefined ? value : `${data}\n${value}`;
    return undefined;
  }

  function takeEvent(): WireEvent | undefined {
    const type = name;
    const text = data;
    name = '';
    data = undefined;
    if (text === undefined || !known.test(type)) return undefined;
    const fields = parseJson(text);
    if (isRecord(fields)) return asTyped({ ...fields, type });
    throw new Error(`the event ${type} is not an object`);
  }
}

const known = /^(start|text|json|toolCall|finish|error)$/;
