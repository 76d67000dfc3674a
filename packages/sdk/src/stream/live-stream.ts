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
   * The next event. Rejects when the connection breaks or ends, or when the call ends. Call it
   * sequentially; it reads no more than one event needs.
   */
  next(): Promise<WireEvent>;
  /** Closes the connection. */
  cancel(): void;
}

/** Takes a response as a stream, once its first event has arrived. */
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

/** The gateway's event, with its name as its type. */
export type WireEvent =
  | StartEvent
  | TextEvent
  | JsonEvent
  | ToolCallEvent
  | { readonly type: 'finish' }
  | ({ readonly type: 'error' } & StreamError);

/**
 * Creates a parser of an event stream: it accepts pieces of any size, and returns the events that
 * each completes. Source: WHATWG HTML, section 9.2. It ignores events with unknown names. It throws
 * for an event whose data is not a JSON object.
 */
export function createSseParser(): (piece: string) => readonly WireEvent[] {
  let line = '';
  let endsWithCr = false;
  let name = '';
  let data: string | undefined;

  return (piece) => {
    const events: WireEvent[] = [];
    // A CRLF may be split between two pieces.
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
