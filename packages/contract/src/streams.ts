import type { ErrorBody } from './errors.ts';
import type { ToolCall } from './messages.ts';
import type { CallAnswer, Cost, Usage } from './operations.ts';

/**
 * What a streaming route tells, by the names of its events. `start` is first; exactly one of
 * `finish` and `error` is last.
 */
export interface StreamEvents<Answer extends CallAnswer> {
  readonly start: StreamStart;
  /** Text as it comes; of chats and agents. */
  readonly text: StreamText;
  /** A call of a tool, whole and fit for its schema; of agents, before `finish`. */
  readonly toolCall: ToolCall;
  /** The JSON of an object as it comes: for display alone, since it has not been checked. */
  readonly json: StreamText;
  /** The whole answer, as the route without `/stream` tells it. */
  readonly finish: Answer;
  readonly error: StreamError;
}

/** Whose answer it is. */
export interface StreamStart {
  /** This gateway's id of the call. */
  readonly id: string;
  /** The model's id as it was sent. */
  readonly model: string;
  /** The platform's id of the request, or `null` where it has not given one. */
  readonly requestId: string | null;
}

/** A piece of text; it never ends within a character. */
export interface StreamText {
  readonly text: string;
}

/** Why a stream has no `finish`: what was told before is a part of an answer. */
export interface StreamError extends ErrorBody {
  /** `null` where the platform has stated no counts, or nothing is booked yet. */
  readonly usage: Usage | null;
  /** What is booked for the call, durably; `null` where nothing is, or not yet. */
  readonly cost: Cost | null;
  readonly partial: true;
}
