import { headerNames, type StreamError, type StreamEvents } from '@model-gateway/contract';
import type { StreamRequest } from '../../../calls/model/call.ts';
import { CallError } from '../../../calls/model/call-error.ts';
import type { OperationName } from '../../../calls/model/operation.ts';
import type { CallResult, FailedCall } from '../../../calls/model/result.ts';
import { checkOnce } from '../../body/check-once.ts';
import type { RequestHead, StreamDialect } from '../../exchange/dialect.ts';
import { encode } from './encode.ts';
import { errorOf } from './refuse.ts';

/** Server-sent events; the first has id 1. */
export const events: StreamDialect = {
  request,
  headersOf: ({ isReplayed }) => (isReplayed ? replayed : headers),
  comment: ': keep-alive\n\n',
  start({ after, callId: id, model, upstreamId: requestId = null }) {
    // A client that received a delta has received the start event, too.
    return after > 0 ? '' : event(1, 'start', { id, model, requestId });
  },
  delta: (text, number, { operation }) => event(idOf(number), nameOf(operation), { text }),
  end,
  whole(result, { operation }) {
    const { body } = encode(result);
    const { id, model, requestId } = JSON.parse(body);
    const text = textOf(result);
    const start = event(1, 'start', { id, model, requestId });
    const textEvent = text === '' ? '' : event(idOf(1), nameOf(operation), { text });
    const last = end(result, text === '' ? 0 : 1);
    return { status: 200, body: start + textEvent + last, headers: events.headersOf(result) };
  },
};

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
} as const;
const replayed = { ...headers, [headerNames.idempotentReplayed]: 'true' } as const;

/** The start event precedes delta 1, so ids are one higher. */
function idOf(number: number): number {
  return number + 1;
}

function request(head: RequestHead): StreamRequest {
  const sent = head.header(headerNames.lastEventId);
  if (sent === undefined) return { after: 0 };
  checkOnce(head, headerNames.lastEventId);
  if (!/^\d{1,15}$/.test(sent)) {
    throw new CallError('INVALID', 'The header last-event-id must be an event id (a number).');
  }
  return { after: Math.max(0, Number(sent) - 1) };
}

function end(result: CallResult, number: number): string {
  let id = idOf(number);
  if (result.kind === 'failed') return event(id + 1, 'error', failureOf(result));
  let text = '';
  if (result.kind === 'done' && result.output.kind === 'turn') {
    for (const call of result.output.toolCalls) {
      id += 1;
      text += event(id, 'toolCall', call);
    }
  }
  // Identical to the body of the route without streaming.
  return `${text}${eventOf(id + 1, 'finish', encode(result).body)}`;
}

function failureOf({ error, billed }: FailedCall): StreamError {
  const { usage = null, cost = null } = billed ?? {};
  return { error: errorOf(error), usage, cost, partial: true };
}

function textOf(result: CallResult): string {
  if (result.kind !== 'done') return '';
  const { output } = result;
  if (output.kind === 'object') return JSON.stringify(output.object);
  const isOther = output.kind === 'embeddings' || output.kind === 'message';
  return isOther ? '' : (output.text ?? '');
}

function nameOf(operation: OperationName): 'json' | 'text' {
  return operation === 'objects' ? 'json' : 'text';
}

function event<Name extends Exclude<EventName, 'finish'>>(
  id: number,
  name: Name,
  data: StreamEvents<never>[Name],
): string {
  return eventOf(id, name, JSON.stringify(data));
}

type EventName = keyof StreamEvents<never>;

/** `json` must be one line. */
function eventOf(id: number, name: EventName, json: string): string {
  return `id: ${id}\nevent: ${name}\ndata: ${json}\n\n`;
}
