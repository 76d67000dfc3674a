import { isAnswer } from '../attempt.ts';
import { type Judge, judged, type Round, withMeta } from '../call.ts';
import { endedError, failedError } from '../call-error.ts';
import type { Failure } from '../failure.ts';
import type { LlmError } from '../llm-error.ts';
import type { OpenedStream } from './open-stream.ts';
import { brokenFailure, eventFailure } from './stream-failure.ts';
import type { StreamEvent } from './stream-types.ts';
import type { WireEvent } from './wire-event.ts';

/** What comes next of a stream; after anything but an event there is nothing more. */
export type StreamStep<Answer> =
  | { readonly kind: 'event'; readonly event: StreamEvent<Answer> }
  /** The call has failed. */
  | { readonly kind: 'failed'; readonly error: LlmError }
  /** The connection is gone: what became of the call is not known. */
  | { readonly kind: 'broken'; readonly failure: Failure };

/** An opened stream as its caller sees it. */
export interface StreamReader<Answer> {
  next(): Promise<StreamStep<Answer>>;
  /** Gives the connection up. */
  cancel(): void;
}

/** Reads a stream that was opened by attempt number `attempts`. */
export function readStream<Answer extends object>(
  round: Round,
  { live, first, attempts }: OpenedStream & { readonly attempts: number },
  judge: Judge<Answer> | undefined,
): StreamReader<Answer> {
  const { headers } = live;
  let held: WireEvent | undefined = first;
  let partialText = '';
  return { next, cancel: live.cancel };

  async function next(): Promise<StreamStep<Answer>> {
    if (round.deadline.ending() !== undefined) return ended();
    try {
      const event = held ?? (await live.next());
      held = undefined;
      return event === undefined ? broken(undefined) : await take(event);
    } catch (error) {
      if (round.deadline.ending() !== undefined) return ended();
      if (round.runtime.standsFor?.(error) === 'mistake') throw error;
      return broken(error);
    }
  }

  async function take(event: WireEvent): Promise<StreamStep<Answer>> {
    if (event.type === 'finish') return finish(event.body);
    if (event.type === 'error') return failed(eventFailure(headers, event.body, partialText));
    if (event.type === 'text' || event.type === 'json') partialText += event.text;
    return { kind: 'event', event };
  }

  async function finish(body: Readonly<Record<string, unknown>>): Promise<StreamStep<Answer>> {
    if (!isAnswer<Answer>(body)) return broken(new Error('its last event is no answer'));
    const outcome = await judged(round, { kind: 'answered', answer: body, headers }, judge);
    if (outcome.kind === 'ended') return ended();
    if (outcome.kind === 'failed') return failed(outcome.failure);
    const answer = withMeta(round, { ...outcome, attempts });
    return { kind: 'event', event: { type: 'finish', answer } };
  }

  function failed(failure: Failure): StreamStep<Answer> {
    round.bill.note(failure.head?.callId, failure.head?.costUsd);
    return { kind: 'failed', error: failedError(round, { failure, attempts }) };
  }

  function broken(cause: unknown): StreamStep<Answer> {
    return { kind: 'broken', failure: brokenFailure(headers, cause, partialText) };
  }

  function ended(): StreamStep<Answer> {
    const ending = round.deadline.ending() ?? { kind: 'timed-out' };
    const state = { ending, attempts, lastError: undefined, partialText };
    return { kind: 'failed', error: endedError(round, state) };
  }
}
