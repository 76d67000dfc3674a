import type { AgentAnswer, ChatAnswer, ChatRequest, ObjectAnswer } from '@model-gateway/contract';
import { beginStreamRound, type CallParts, type Judge } from '../call/call.ts';
import { describeObject, type ObjectCallRequest } from '../call/object.ts';
import type { CallOptions } from '../call/options.ts';
import type { AgentTurnRequest } from '../call/requests.ts';
import { type Owner, targetOf } from '../call/targets.ts';
import { checkRequest } from '../lib/checks.ts';
import type {
  JsonSchema,
  NeedsType,
  SchemaOutput,
  StandardSchema,
  StandardSchemaOf,
} from '../lib/schema.ts';
import { createAnswerStream } from './answer-stream.ts';
import { createStreamCall } from './stream-call.ts';
import type {
  AgentStreamEvent,
  AnswerStream,
  ChatStreamEvent,
  ObjectStreamEvent,
  StreamEvent,
} from './stream-types.ts';

/** A chat that comes in pieces. */
export type ChatStream = AnswerStream<ChatStreamEvent<ChatAnswer>, ChatAnswer>;
/** An agent's turn that comes in pieces. */
export type AgentStream = AnswerStream<AgentStreamEvent<AgentAnswer>, AgentAnswer>;
/** An object that comes in pieces of its JSON. */
export type ObjectStream<T> = AnswerStream<ObjectStreamEvent<ObjectAnswer<T>>, ObjectAnswer<T>>;

/**
 * The methods that stream responses; `timeoutMs` is 330,000 where neither the client nor the call
 * has one. The gateway must have `streaming` on: else NOT_IMPLEMENTED.
 */
export interface StreamMethods {
  /**
   * Requests a model's response in a conversation, word by word.
   * @example
   * const stream = client.chatStream({ model, maxTokens: 500, messages });
   * for await (const text of stream.text()) process.stdout.write(text);
   * const { usage, cost } = await stream.final();
   */
  chatStream(request: ChatRequest, options?: CallOptions): ChatStream;
  /** Makes one turn of an agent: its text in pieces, its tool calls whole. */
  agentStream(request: AgentTurnRequest, options?: CallOptions): AgentStream;
  /**
   * Requests an object that fits a schema. The pieces are raw, unchecked JSON: only display them,
   * and act on `final()`.
   */
  objectStream<Schema extends StandardSchema>(
    request: ObjectCallRequest<Schema>,
    options?: CallOptions,
  ): ObjectStream<SchemaOutput<Schema>>;
  /** The same with a plain JSON Schema, which only the service checks: it describes `T`. */
  objectStream<T = never>(
    request: ObjectCallRequest<JsonSchema | StandardSchemaOf<T>> & NeedsType<T>,
    options?: CallOptions,
  ): ObjectStream<T>;
}

/** A request's body, and the judge of its response. */
interface Described<Answer> {
  readonly body: object;
  readonly judge?: Judge<Answer> | undefined;
}

export function createStreamMethods(parts: CallParts): StreamMethods {
  function streaming<Event extends StreamEvent<Answer>, Answer extends object, Request>(
    owner: Owner,
    describe: (owner: Owner, request: Request) => Described<Answer>,
  ) {
    return (request: Request, options?: CallOptions): AnswerStream<Event, Answer> =>
      createAnswerStream(
        createStreamCall(() => {
          const { body, judge } = describe(owner, request);
          const round = beginStreamRound(parts, { ...targetOf(owner), body, options });
          return { round, judge };
        }),
      );
  }
  const asItIs = (owner: Owner, request: object) => ({ body: checkRequest(owner, request) });
  return {
    chatStream: streaming('chatStream', asItIs),
    agentStream: streaming('agentStream', asItIs),
    objectStream: streaming('objectStream', describeObject<never>),
  };
}
