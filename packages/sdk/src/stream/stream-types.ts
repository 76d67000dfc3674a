import type { ToolCall } from '@model-gateway/contract';

/** The first event of a stream: the model has begun to answer. */
export interface StreamStart {
  readonly type: 'start';
  /** The gateway's id of the call. */
  readonly id: string;
  readonly model: string;
  /** The platform's id of the request. */
  readonly requestId: string | null;
}

/** A piece of the answer's text: never half a character. */
export interface StreamText {
  readonly type: 'text';
  readonly text: string;
}

/** A piece of an object's JSON as the model writes it, for display only: nothing has checked it. */
export interface StreamJson {
  readonly type: 'json';
  readonly text: string;
}

/** A tool that the model asks for, whole and checked against its schema. */
export type StreamToolCall = { readonly type: 'toolCall' } & ToolCall;

/** The last event: the answer, as the method that does not stream gives it. */
export interface StreamFinish<Answer> {
  readonly type: 'finish';
  readonly answer: Answer;
}

/** What a chat streams. */
export type ChatStreamEvent<Answer> = StreamStart | StreamText | StreamFinish<Answer>;
/** What an agent's turn streams. */
export type AgentStreamEvent<Answer> = ChatStreamEvent<Answer> | StreamToolCall;
/** What an object streams. */
export type ObjectStreamEvent<Answer> = StreamStart | StreamJson | StreamFinish<Answer>;
/** What any of them streams. */
export type StreamEvent<Answer> = AgentStreamEvent<Answer> | StreamJson;

/**
 * An answer that comes in pieces. Nothing is sent before somebody asks for it: iterate over its
 * events or its `text()`, once, or await `final()`, or both. It is read no faster than it is
 * iterated over; a loop that stands still for 30 s has left, for the gateway.
 *
 * The loop throws an `LlmError` where the stream fails, with what came until then as `partialText`.
 * Leaving it aborts the call, which may be billed all the same.
 */
export interface AnswerStream<Event, Answer> extends AsyncIterable<Event> {
  /** The pieces of text alone, or of an object's JSON. In the place of the events. */
  text(): AsyncIterable<string>;
  /**
   * The whole answer, whether somebody iterates or not. Where the connection broke after the first
   * event, it collects the answer under the same idempotency key until `timeoutMs` is over, without
   * paying twice.
   * @throws LlmError
   */
  final(): Promise<Answer>;
}
