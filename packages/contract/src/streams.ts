import type { ErrorBody } from './errors.ts';
import type { ToolCall } from './messages.ts';
import type { CallAnswer, Cost, Usage } from './operations.ts';

/**
 * The events of a streaming route, by name. `start` is first; exactly one of `finish` and `error`
 * is last.
 */
export interface StreamEvents<Answer extends CallAnswer> {
  readonly start: StreamStart;
  /** Text in pieces; for chats and agents. */
  readonly text: StreamText;
  /** A whole tool call that fits its schema; for agents, before `finish`. */
  readonly toolCall: ToolCall;
  /** The JSON of an object in pieces: only for display, since it is unchecked. */
  readonly json: StreamText;
  /** The whole response, as from the route without `/stream`. */
  readonly finish: Answer;
  readonly error: StreamError;
}

/** The call that the stream belongs to. */
export interface StreamStart {
  /** This gateway's id of the call. */
  readonly id: string;
  /** The model's id as in the request. */
  readonly model: string;
  /** The platform's id of the request, or `null` where it has not sent one. */
  readonly requestId: string | null;
}

/** A piece of text; it never ends within a character. */
export interface StreamText {
  readonly text: string;
}

/** Why a stream has no `finish`: the earlier events are a partial response. */
export interface StreamError extends ErrorBody {
  /** `null` where the platform reported no counts, or nothing is booked yet. */
  readonly usage: Usage | null;
  /** The durably booked cost of the call; `null` where nothing is booked, or not yet. */
  readonly cost: Cost | null;
  readonly partial: true;
}
