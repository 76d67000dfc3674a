import type { StreamStart, StreamText, ToolCall } from '@model-gateway/contract';

/** The first event of a stream: the model has begun to answer. */
export interface StartEvent extends StreamStart {
  readonly type: 'start';
}

/** A piece of the answer's text: never half a character. */
export interface TextEvent extends StreamText {
  readonly type: 'text';
}

/** A piece of an object's JSON as the model writes it, for display only: nothing has checked it. */
export interface JsonEvent extends StreamText {
  readonly type: 'json';
}

/** A tool that the model asks for, whole and checked against its schema. */
export type ToolCallEvent = { readonly type: 'toolCall' } & ToolCall;

/** The last event: the answer, as the method that does not stream gives it. */
export interface FinishEvent<Answer> {
  readonly type: 'finish';
  readonly answer: Answer;
}

/** What a chat streams. */
export type ChatStreamEvent<Answer> = StartEvent | TextEvent | FinishEvent<Answer>;
/** What an agent's turn streams. */
export type AgentStreamEvent<Answer> = ChatStreamEvent<Answer> | ToolCallEvent;
/** What an object streams. */
export type ObjectStreamEvent<Answer> = StartEvent | JsonEvent | FinishEvent<Answer>;
/** What any of them streams. */
export type StreamEvent<Answer> = AgentStreamEvent<Answer> | JsonEvent;

/**
 * An answer that comes in pieces. Nothing is sent before you ask for it: iterate over its
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
   * The whole answer, whether you iterate or not. Where the connection broke after the first
   * event, it collects the answer under the same idempotency key until `timeoutMs` is over, without
   * paying twice.
   * @throws LlmError
   */
  final(): Promise<Answer>;
}
