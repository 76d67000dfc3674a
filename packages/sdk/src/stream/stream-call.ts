import { type Judge, type Round, tryUntilAnswered } from '../call.ts';
import { failedError } from '../call-error.ts';
import type { Failure } from '../failure.ts';
import { collectAnswer } from './collect.ts';
import { openStream } from './open-stream.ts';
import { readStream, type StreamReader } from './stream-reader.ts';
import type { StreamEvent } from './stream-types.ts';

/** One call that streams. Its functions are called one after the other, but for `leave`. */
export interface StreamCall<Answer> {
  /** The next event; nothing is sent before the first is asked for. Throws where it fails. */
  next(): Promise<StreamEvent<Answer>>;
  /** Whether it failed because the connection broke, so that the answer can be collected. */
  isBroken(): boolean;
  /** Collects the answer of a broken one. */
  collect(): Promise<Answer>;
  /** Ends it as the caller's signal does. */
  leave(reason: Error): void;
}

/** What a call is made of. */
export interface BegunStream<Answer> {
  readonly round: Round;
  readonly judge?: Judge<Answer> | undefined;
}

/** A call that `begin` begins, when its first event is asked for. */
export function createStreamCall<Answer extends object>(
  begin: () => BegunStream<Answer>,
): StreamCall<Answer> {
  let begun: BegunStream<Answer> | undefined;
  let reader: StreamReader<Answer> | undefined;
  let attempts = 0;
  let broken: Failure | undefined;
  return { next, isBroken: () => broken !== undefined, collect, leave };

  async function next(): Promise<StreamEvent<Answer>> {
    begun ??= begin();
    const { round } = begun;
    try {
      reader ??= await open(begun);
      const step = await reader.next();
      if (step.kind === 'event') {
        if (step.event.type === 'finish') close(round);
        return step.event;
      }
      if (step.kind === 'failed') throw step.error;
      broken = step.failure;
      throw failedError(round, { failure: broken, attempts });
    } catch (error) {
      close(round);
      throw error;
    }
  }

  async function open({ round, judge }: BegunStream<Answer>): Promise<StreamReader<Answer>> {
    const opened = await tryUntilAnswered(round, () => openStream(round));
    attempts = opened.attempts;
    return readStream(round, { ...opened.answer, attempts }, judge);
  }

  function close({ deadline }: Round): void {
    reader?.cancel();
    deadline.close();
  }

  async function collect(): Promise<Answer> {
    if (begun === undefined || broken === undefined) throw new Error('there is nothing to collect');
    return collectAnswer(begun.round, { failure: broken, attempts }, begun.judge);
  }

  function leave(reason: Error): void {
    if (begun === undefined) return;
    begun.round.deadline.abort(reason);
    if (reader !== undefined) close(begun.round);
  }
}
