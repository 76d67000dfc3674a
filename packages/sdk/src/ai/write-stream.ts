import type { ToolCall } from '@model-gateway/contract';
import { LlmError } from '../call/llm-error.ts';
import type { AnswerStream, StreamEvent } from '../stream/stream-types.ts';
import type { AiCarry, AiStreamPart, AiWarning } from './ai-types.ts';
import { type AnyAnswer, carryOf, contentOf, endOf, endOfCut, writeCall } from './read-answer.ts';

/** The gateway's stream, from any route. */
export type AnyStream = AnswerStream<StreamEvent<AnyAnswer>, AnyAnswer>;

/** A stream to convert to the AI SDK's. */
export interface StreamParts {
  readonly stream: AnyStream;
  readonly warnings: AiWarning[];
  /** True where its pieces are of a wrapper object: the value itself is sent at the end. */
  readonly isWrapped: boolean;
  /** Converts an error for the reader. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * The AI SDK's parts of a stream, once its first event is there: an earlier failure is thrown, and
 * can be retried. If the connection breaks, the response is collected and its rest sent.
 */
export async function writeStream(parts: StreamParts): Promise<ReadableStream<AiStreamPart>> {
  const { stream, warnings, isWrapped, explain } = parts;
  const events = stream[Symbol.asyncIterator]();
  const writer = createWriter(isWrapped);
  const first = await events.next();
  const begun: AiStreamPart[] = [{ type: 'stream-start', warnings }];
  if (first.done !== true) begun.push(...writer.write(first.value));

  /** The next parts; none where the stream has ended. */
  async function read(): Promise<AiStreamPart[]> {
    const { done, value } = await events.next();
    return done === true ? [] : writer.write(value);
  }

  async function readOrMend(): Promise<AiStreamPart[]> {
    try {
      return await read();
    } catch (error) {
      return mend(error);
    }
  }

  async function mend(error: unknown): Promise<AiStreamPart[]> {
    if (!LlmError.is(error) || error.code === 'ABORTED') throw explain(error);
    if (error.code === 'TRUNCATED') return writer.cut(error);
    const collected = await stream.final().catch(() => undefined);
    const rest = collected === undefined ? undefined : writer.restOf(collected);
    return rest ?? [{ type: 'error', error: explain(error) }];
  }

  return new ReadableStream<AiStreamPart>({
    start(controller) {
      for (const part of begun) controller.enqueue(part);
    },
    async pull(controller) {
      const parts = await readOrMend();
      for (const part of parts) controller.enqueue(part);
      const last = parts.at(-1)?.type ?? 'finish';
      if (last === 'finish' || last === 'error') controller.close();
    },
    // The reader disconnected: cancel the call.
    cancel: async () => void (await events.return?.()),
  });
}

function carryParts(providerMetadata: AiCarry): AiStreamPart[] {
  const types = ['reasoning-start', 'reasoning-end'] as const;
  return types.map((type) => ({ type, id: 'carry', providerMetadata }));
}

/** Writes events as parts, and tracks the sent text. */
function createWriter(isWrapped: boolean) {
  const shownCalls = new Set<string>();
  let shown = '';
  let isOpen = false;

  function textParts(delta: string): AiStreamPart[] {
    if (delta === '') return [];
    const begin: AiStreamPart[] = isOpen ? [] : [{ type: 'text-start', id: 'text' }];
    isOpen = true;
    shown += delta;
    return [...begin, { type: 'text-delta', id: 'text', delta }];
  }

  function closeText(): AiStreamPart[] {
    const end: AiStreamPart[] = isOpen ? [{ type: 'text-end', id: 'text' }] : [];
    isOpen = false;
    return end;
  }

  function callParts(call: ToolCall): AiStreamPart[] {
    const { id, name: toolName } = call;
    const written = writeCall(call);
    shownCalls.add(id);
    return [
      ...closeText(),
      { type: 'tool-input-start', id, toolName },
      { type: 'tool-input-delta', id, delta: written.input },
      { type: 'tool-input-end', id },
      written,
    ];
  }

  function write(event: StreamEvent<AnyAnswer>): AiStreamPart[] {
    switch (event.type) {
      case 'start':
        return [{ type: 'response-metadata', id: event.id, modelId: event.model }];
      case 'toolCall':
        return callParts(event);
      case 'finish':
        // An object whose pieces were sent is whole: its JSON here has other spaces.
        return finish(event.answer, shown === '' ? contentOf(event.answer).text : '');
      default:
        return isWrapped ? [] : textParts(event.text);
    }
  }

  /** The rest of a collected response; `undefined` where it does not continue the sent text. */
  function restOf(answer: AnyAnswer): AiStreamPart[] | undefined {
    const { text } = contentOf(answer);
    return text.startsWith(shown) ? finish(answer, text.slice(shown.length)) : undefined;
  }

  function finish(answer: AnyAnswer, rest: string): AiStreamPart[] {
    const missing = contentOf(answer).calls.filter(({ id }) => !shownCalls.has(id));
    const calls = missing.flatMap(callParts);
    const parts = [
      ...textParts(rest),
      ...calls,
      ...closeText(),
      ...carryOf(answer).flatMap(carryParts),
    ];
    return [...parts, { type: 'finish', ...endOf(answer) }];
  }

  /** The end of a response that reached its token limit: for the gateway an error. */
  function cut(error: LlmError): AiStreamPart[] {
    return [...closeText(), { type: 'finish', ...endOfCut(error) }];
  }

  return { write, restOf, cut };
}
