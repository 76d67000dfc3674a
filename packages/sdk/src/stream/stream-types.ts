import type { StreamStart, StreamText, ToolCall } from '@model-gateway/contract';

/** The first event of a stream: the model has begun to answer. */
export interface StartEvent extends StreamStart {
  readonly type: 'start';
}

/** A piece of the response's text; it never splits a character. */
export interface TextEvent extends StreamText {
  readonly type: 'text';
}

/** A piece of an object's JSON from the model, for display only: it is unchecked. */
export interface JsonEvent extends StreamText {
  readonly type: 'json';
}

/** The model's call of a tool, whole and checked against its schema. */
export type ToolCallEvent = { readonly type: 'toolCall' } & ToolCall;

/** The last event: the response, as from the method that does not stream. */
export interface FinishEvent<Answer> {
  readonly type: 'finish';
  readonly answer: Answer;
}

/** The events of a chat's stream. */
export type ChatStreamEvent<Answer> = StartEvent | TextEvent | FinishEvent<Answer>;
/** The events of an agent turn's stream. */
export type AgentStreamEvent<Answer> = ChatStreamEvent<Answer> | ToolCallEvent;
/** The events of an object's stream. */
export type ObjectStreamEvent<Answer> = StartEvent | JsonEvent | FinishEvent<Answer>;
/** The events of any stream. */
export type StreamEvent<Answer> = AgentStreamEvent<Answer> | JsonEvent;

/**
 * A response in pieces. Nothing is sent before you use it: iterate over its events or its `text()`,
 * once, or await `final()`, or both. Reading is as fast as the iteration; after a pause of 30 s the
 * gateway treats the loop as disconnected.
 *
 * The loop throws an `LlmError` where the stream fails, with the earlier text as `partialText`.
 * Leaving it aborts the call, which may still be billed.
 */
export interface AnswerStream<Event, Answer> extends AsyncIterable<Event> {
  /** Only the pieces of text, or of an object's JSON, in place of the events. */
  text(): AsyncIterable<string>;
  /**
   * The whole response, with or without iteration. If the connection broke after the first event,
   * it collects the response under the same idempotency key until `timeoutMs` is over, without
   * paying twice.
   * @throws LlmError
   */
  final(): Promise<Answer>;
}
