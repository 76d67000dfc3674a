import type { CallResult, DoneCall } from '../../../../calls/model/result.ts';
import { type CompletionPiece, ownLine } from '../../../../calls/model-operations/completion.ts';
import type { EventContext, StreamDialect } from '../../../exchange/dialect.ts';
import { moneyHeaders } from '../../compatible/money-headers.ts';
import { refuse } from '../format/refuse.ts';
import { completionOf, costIn, secondsOf, usageOf } from './encode.ts';

export const chunks: StreamDialect = {
  request: () => ({ after: 0 }),
  headersOf: ({ isReplayed }) =>
    isReplayed ? { ...headers, 'idempotent-replayed': 'true' } : headers,
  comment: ': keep-alive\n\n',
  start: (live) => startOf({ live }),
  delta(text, _number, context) {
    let events = '';
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at);
      events += chunk(context, deltaOf(text.slice(at, end)));
      at = end + 1;
    }
    return events;
  },
  end,
  whole(result, context) {
    const body = result.kind === 'relayed' ? result.body : wholeOf(result, context);
    return { status: 200, body, headers: { ...moneyHeaders(result), ...headers } };
  },
};

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
} as const;

type ChunkContext = Pick<EventContext, 'live' | 'withUsage'>;

function startOf(context: ChunkContext): string {
  return chunk(context, '{"role":"assistant","content":"","refusal":null}');
}

function deltaOf(line: string): string {
  if (line.startsWith('"')) return `{"content":${line}}`;
  if (line.startsWith(ownLine)) return line.slice(ownLine.length, -1);
  const piece: Exclude<CompletionPiece, string> = JSON.parse(line);
  const { index, id, name, text, own } = piece;
  const called = { ...(name === undefined ? {} : { name }), arguments: text };
  const first = id === undefined ? { index } : { index, id, type: 'function' };
  return JSON.stringify({ tool_calls: [{ ...first, function: called, ...own }] });
}

/** Runs after settlement. */
function end(result: CallResult, _number: number, context: ChunkContext): string {
  if (result.kind === 'failed') return `data: ${refuse(result.error).body}\n\n`;
  if (result.kind === 'relayed') return '';
  const { finish, finishWord } = completionOf(result);
  const last = chunk(context, '{}', finish, finishWord);
  return `${last}${context.withUsage === true ? usageChunk(result, context) : ''}data: [DONE]\n\n`;
}

/** An unrequested usage chunk has a choice: many clients read the first choice of every chunk. */
function usageChunk(result: DoneCall, { live }: ChunkContext): string {
  const usage = { ...usageOf(result), ...costIn(result) };
  const word = wordField(completionOf(result).finishWord);
  return `${headOf(live)}"choices":[],"usage":${JSON.stringify(usage)}${word}}\n\n`;
}

function wholeOf(result: DoneCall, { withUsage }: Pick<EventContext, 'withUsage'>): string {
  const context = { live: result, withUsage };
  const { text, toolCalls, carried } = completionOf(result);
  const { message = {}, calls: ofCalls = [] } = carried ?? {};
  const own = Object.keys(message).length === 0 ? '' : chunk(context, JSON.stringify(message));
  const textChunk = text === '' ? '' : chunk(context, deltaOf(JSON.stringify(text)));
  const calls = toolCalls.map(({ id, name, arguments: written }, index) => {
    const piece = { index, id, name, text: written, own: ofCalls[index] ?? undefined };
    return chunk(context, deltaOf(JSON.stringify(piece)));
  });
  return `${startOf(context)}${own}${textChunk}${calls.join('')}${end(result, 0, context)}`;
}

function chunk({ live }: ChunkContext, delta: string, finish?: string, word?: string): string {
  const reason = finish === undefined ? 'null' : JSON.stringify(finish);
  const choice = `{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${reason}}`;
  return `${headOf(live)}"choices":[${choice}]${wordField(word)}}\n\n`;
}

/** The platform's finish reason, in both chunks that can be the last. */
function wordField(word: string | undefined): string {
  return word === undefined ? '' : `,"x_finish_reason":${JSON.stringify(word)}`;
}

function headOf({ callId, model }: EventContext['live']): string {
  const id = JSON.stringify(callId);
  const created = secondsOf(callId);
  return `data: {"id":${id},"object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)},"system_fingerprint":null,`;
}
