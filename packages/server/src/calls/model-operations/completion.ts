import { bodyLimits, type CallRequest, type JsonObject } from '@model-gateway/contract';
import type { CatalogModel } from '../../catalog/catalog.ts';
import type { Wire } from '../../domain/wire.ts';
import { hasLongNumber } from '../../lib/json-size.ts';
import { writeJson } from '../../lib/json-value.ts';
import type { Delta } from '../../platforms/model/content.ts';
import type { ModelRequest } from '../../platforms/model/model-request.ts';
import { notJsonBytes, writtenInput } from '../../platforms/model/written-calls.ts';
import { hasWord, type RequestWord } from '../../platforms/wires/codec/request-words.ts';
import { CallError } from '../model/call-error.ts';
import type {
  AnsweredAttempt,
  ModelOperation,
  OutputPiece,
  ParsedAnswer,
} from '../model/operation.ts';
import type { CompletionFinish } from '../model/result.ts';
import { badOutput } from './bad-output.ts';
import { carriedWithText } from './carry.ts';
import { textOf } from './chat.ts';
import { conversationOf, promptBytesOf } from './conversation.ts';
import { type PassedFields, passedTo } from './passed-fields.ts';

export interface CompletionRequest extends CallRequest {
  readonly messages: ModelRequest['messages'];
  readonly modelRequest: Omit<ModelRequest, 'messages' | 'maxTokens'>;
  readonly tools?: ModelRequest['tools'];
  readonly schema?: JsonObject | undefined;
  readonly words: ReadonlyMap<RequestWord, string>;
  readonly passed?: PassedFields | undefined;
}

/** Some wire formats wrap past arguments that are not JSON. */
export function wrappedBytesOf(messages: CompletionRequest['messages']): number {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  return calls.length * notJsonBytes;
}

/**
 * The user pays for any output, JSON or not, whole or truncated. Output is unusable only if it has
 * a number that no request accepts.
 */
export function createCompletion(name: 'chat' | 'agents'): ModelOperation<CompletionRequest> {
  return {
    name,
    encode: (request, model) => ({
      ...conversationOf(request),
      ...request.modelRequest,
      fields: passedTo(model, request.passed),
    }),
    read,
    pieceOf,
    schemaText: ({ tools, schema }) =>
      tools === undefined && schema === undefined
        ? undefined
        : `${writeJson(tools) ?? ''}${writeJson(schema) ?? ''}`,
    // Without counts, input that its bytes do not bound is booked as reserved.
    promptBytes: (request) =>
      request.modelRequest.verbatim === undefined
        ? promptBytesOf(request)
        : Number.POSITIVE_INFINITY,
    refusal,
  };
}

/** Each piece is one line of JSON. */
export type CompletionPiece =
  | string
  | {
      readonly index: number;
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly text: string;
      readonly own?: object | undefined;
    };

/** Starts a line of other fields; an object follows. */
export const ownLine = '{"own":';

function pieceOf(delta: Delta): OutputPiece | undefined {
  switch (delta.type) {
    case 'text':
      return completionPiece(delta.text, Buffer.byteLength(delta.text));
    case 'tool-input': {
      const { index, toolCallId: id, toolName: name, text, own } = delta;
      // The same bytes count whether a call is streamed or written whole.
      const bytes = Buffer.byteLength(text) + Buffer.byteLength(name ?? '');
      return completionPiece({ index, id, name, text, own }, bytes);
    }
    case 'reasoning': {
      const { name = 'reasoning_content', text } = delta;
      return { ...ownPiece(JSON.stringify({ [name]: text })), mayRepeat: true };
    }
    case 'own':
      return ownPiece(delta.text);
    default:
      return undefined;
  }
}

function completionPiece(piece: CompletionPiece, bytes: number): OutputPiece {
  return { text: `${JSON.stringify(piece)}\n`, bytes };
}

/** 0 bytes: without counts, a user pays only for text and calls. */
function ownPiece(json: string): OutputPiece {
  return { text: `${ownLine}${json}}\n`, bytes: 0 };
}

function read(answered: AnsweredAttempt, { model }: CompletionRequest): ParsedAnswer {
  const toolCalls = answered.content.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const { toolCallId: id, toolName: name, input } = part;
    return { id, name, arguments: writtenInput(input, answered.finish) };
  });
  const long = toolCalls.find((call) => hasLongNumber(call.arguments));
  if (long !== undefined) {
    const most = bodyLimits.jsonNumberCharactersMax;
    return badOutput(model, `called ${long.name} with a number of more than ${most} characters`);
  }
  const finish = finishOf(answered, toolCalls.length > 0);
  const word = unknownWordOf(answered);
  const carried = carriedWithText(answered);
  const content = { text: textOf(answered), toolCalls, ...(carried && { carried }), finish };
  const output = { kind: 'completion', ...content } as const;
  return { kind: 'ok', output: word === undefined ? output : { ...output, finishWord: word } };
}

/** Clients act on tool calls, whatever finish the platform reports. */
function finishOf({ finish }: AnsweredAttempt, hasCalls: boolean): CompletionFinish {
  switch (finish) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
    default:
      return hasCalls ? 'tool_calls' : 'stop';
  }
}

function unknownWordOf({ finish, finishRaw = '' }: AnsweredAttempt): string | undefined {
  if (finish !== 'other' && finish !== 'error') return undefined;
  return /^[A-Za-z_]{1,64}/.exec(finishRaw)?.[0];
}

/** Rejected, never dropped: otherwise the caller would pay for a different request. */
function refusal(
  { model, words, modelRequest: { json } }: CompletionRequest,
  { structuredOutput }: CatalogModel,
  wire: Wire | undefined,
): CallError | undefined {
  for (const [word, param] of words) {
    if (hasWord(wire, word)) continue;
    return word === 'remoteParts'
      ? unforwardableField(param, model)
      : unsupportedField(param, model);
  }
  if (json === undefined || structuredOutput === 'json-schema') return undefined;
  const isTaken = structuredOutput === 'json-object' && json.schema === undefined;
  return isTaken ? undefined : unsupportedField('response_format', model);
}

function unforwardableField(param: string, model: string): CallError {
  const message = `${param} cannot be forwarded to the model ${model}, which does not support chat completions; send an image as a data: URL, or use another route or model.`;
  return new CallError('INVALID', message, { param });
}

function unsupportedField(param: string, model: string): CallError {
  const message = `The model ${model} does not support ${param}; remove it, or use another model.`;
  return new CallError('INVALID', message, { param });
}
