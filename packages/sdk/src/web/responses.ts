import type { ToolCall } from '@model-gateway/contract';
import { LlmError } from '../call/llm-error.ts';
import type { AnswerStream, StreamEvent } from '../stream/stream-types.ts';

/** Your server's own work, apart from the page. */
export interface PageOptions<Answer> {
  /** More headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Gets the response with its usage and cost, which the page does not get. It is awaited. */
  readonly onFinish?: ((answer: Answer) => unknown) | undefined;
  /** Gets the error of the stream; the page gets only its code. It is awaited. */
  readonly onError?: ((error: unknown) => unknown) | undefined;
}

/**
 * Your own server's response to your page: a plain event stream with the events `text` `{text}`,
 * `json` `{text}`, `toolCall` `{id, name, input}`, and last `finish` `{}` or `error` `{code}`. A
 * page that disconnects ends the call.
 * @example
 * app.get('/ask', () => toEventStreamResponse(client.chatStream(request)));
 */
export function toEventStreamResponse<Answer>(
  stream: AnswerStream<StreamEvent<Answer>, Answer>,
  options: PageOptions<Answer> = {},
): Response {
  return respond(stream, options, {
    event(event) {
      if (event.type === 'start') return '';
      const { type, ...data } = event.type === 'finish' ? { type: event.type } : event;
      return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    },
    error: (code) => `event: error\ndata: ${JSON.stringify({ code })}\n\n`,
    headers: {},
  });
}

/**
 * The same as a UI message stream of the AI SDK, which its `useChat` reads: text, and tool calls as
 * `tool-input-available`. An error is its code.
 */
export function toUIMessageStreamResponse<Answer>(
  stream: AnswerStream<StreamEvent<Answer>, Answer>,
  options: PageOptions<Answer> = {},
): Response {
  let isTextOpen = false;
  const closeText = () => {
    const end = isTextOpen ? [{ type: 'text-end', id: 'text' }] : [];
    isTextOpen = false;
    return end;
  };
  return respond(stream, options, {
    event(event) {
      if (event.type === 'start') {
        return chunks([{ type: 'start', messageId: event.id }, { type: 'start-step' }]);
      }
      if (event.type === 'toolCall') return chunks([...closeText(), toolChunk(event)]);
      if (event.type === 'finish') {
        const finish = { type: 'finish', finishReason: finishReasonOf(event.answer) };
        return `${chunks([...closeText(), { type: 'finish-step' }, finish])}${doneLine}`;
      }
      const begin = isTextOpen ? [] : [{ type: 'text-start', id: 'text' }];
      isTextOpen = true;
      return chunks([...begin, { type: 'text-delta', id: 'text', delta: event.text }]);
    },
    error: (errorText) => `${chunks([{ type: 'error', errorText }])}${doneLine}`,
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  });
}

const doneLine = 'data: [DONE]\n\n';

function chunks(list: readonly object[]): string {
  return list.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}

function toolChunk({ id, name, input }: ToolCall): object {
  return { type: 'tool-input-available', toolCallId: id, toolName: name, input };
}

/** In the AI SDK's terms, which have none for a stop sequence. */
function finishReasonOf(answer: unknown): string {
  const { finishReason, done } = Object(answer);
  if (done === false) return 'tool-calls';
  return finishReason === 'content-filter' || finishReason === 'other' ? finishReason : 'stop';
}

interface Writer<Answer> {
  event(event: StreamEvent<Answer>): string;
  error(code: string): string;
  readonly headers: Readonly<Record<string, string>>;
}

function respond<Answer>(
  stream: AnswerStream<StreamEvent<Answer>, Answer>,
  { headers, onFinish, onError }: PageOptions<Answer>,
  writer: Writer<Answer>,
): Response {
  const events = stream[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let isOver = false;

  async function read(): Promise<string> {
    try {
      const { done, value: event } = await events.next();
      isOver = done === true || event.type === 'finish';
      if (done === true) return '';
      if (event.type === 'finish') await onFinish?.(event.answer);
      return writer.event(event);
    } catch (error) {
      isOver = true;
      await onError?.(error);
      return writer.error(LlmError.is(error) ? error.code : 'INTERNAL');
    }
  }

  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = await read();
      // A stream is read again only after it was given something.
      while (text === '' && !isOver) text = await read();
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (isOver) controller.close();
    },
    // The page disconnected: cancel the call.
    cancel: async () => void (await events.return?.()),
  });
  const own = {
    ...{ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    // nginx would buffer the events.
    'x-accel-buffering': 'no',
  };
  return new Response(body, { headers: { ...own, ...writer.headers, ...headers } });
}
