import { readHead } from '../call/answer-head.ts';
import { afterThrow, isAnswer } from '../call/attempt.ts';
import {
  attemptAndNote,
  type Judge,
  judged,
  type Round,
  tryUntilAnswered,
  withMeta,
} from '../call/call.ts';
import { endedError, failedError } from '../call/call-error.ts';
import { startDeadline } from '../call/deadline.ts';
import { describeApiError, type Failure, type Outcome } from '../call/failure.ts';
import { type LiveStream, takeStream } from './live-stream.ts';
import type { StreamEvent } from './stream-types.ts';

/**
 * One call that streams. Call its functions one after the other; only `leave` may come any time.
 */
export interface StreamCall<Answer> {
  /** The next event; the first call sends the request. Throws where it fails. */
  next(): Promise<StreamEvent<Answer>>;
  /** Collects the response after the connection broke; absent where none can be collected. */
  collector(): (() => Promise<Answer>) | undefined;
  /** Ends the call as the caller's signal does. */
  leave(): void;
}

export interface BegunStream<Answer> {
  readonly round: Round;
  readonly judge?: Judge<Answer> | undefined;
}

/** A stream, with its attempt and its head. */
interface Opened {
  readonly answer: LiveStream;
  readonly headers: Headers;
  readonly attempts: number;
}

type Step<Answer> =
  | Outcome<Answer>
  | { readonly kind: 'event'; readonly event: StreamEvent<Answer> };

/** A call that `begin` begins at the request for its first event. */
export function createStreamCall<Answer extends object>(
  begin: () => BegunStream<Answer>,
): StreamCall<Answer> {
  let begun: BegunStream<Answer> | undefined;
  let opened: Opened | undefined;
  let partialText = '';
  let collector: (() => Promise<Answer>) | undefined;

  async function next(): Promise<StreamEvent<Answer>> {
    begun ??= begin();
    const { round } = begun;
    try {
      opened ??= await tryUntilAnswered(round, () => attemptAndNote(round, takeStream));
      const step = await readStep(begun, opened);
      if (step.kind === 'answered') {
        close(round);
        return { type: 'finish', answer: withMeta(round, { ...opened, answer: step.answer }) };
      }
      if (step.kind !== 'event') throw errorOf(begun, opened, step);
      if ('text' in step.event) partialText += step.event.text;
      return step.event;
    } catch (error) {
      close(round);
      throw error;
    }
  }

  function errorOf(
    made: BegunStream<Answer>,
    { attempts }: Opened,
    step: Exclude<Outcome<never>, Answered>,
  ) {
    const { round } = made;
    const state = { attempts, partialText };
    if (step.kind === 'ended') {
      const ending = round.deadline.ending();
      return endedError(round, { ...state, ending, lastError: undefined });
    }
    const { failure } = step;
    if (failure.isFree) collector = () => collectAnswer(made, state);
    return failedError(round, { ...state, failure });
  }

  function close({ deadline }: Round): void {
    opened?.answer.cancel();
    deadline.close();
  }

  function leave(): void {
    if (begun === undefined) return;
    begun.round.deadline.abort(new Error('the loop over the stream ended early'));
    if (opened !== undefined) close(begun.round);
  }

  return { next, collector: () => collector, leave };
}

type Answered = { readonly kind: 'answered' };

/** The next event of a stream, or the outcome of its call. */
async function readStep<Answer extends object>(
  { round, judge }: BegunStream<Answer>,
  { answer: live, headers }: Pick<Opened, 'answer' | 'headers'>,
): Promise<Step<Answer>> {
  if (round.deadline.ending() !== undefined) return { kind: 'ended' };
  try {
    const event = await live.next();
    if (event.type === 'error') {
      const { usage, cost } = event;
      const head = readHead(headers);
      round.bill.note(head.callId, cost?.usd);
      const paidAnswer = { usage: usage ?? undefined, cost: cost ?? undefined };
      const described = describeApiError(event.error, 'BAD_RESPONSE');
      // Text was shown already: another response would not continue it.
      const failure = { ...described, status: 200, refusesRetry: true, head, paidAnswer };
      return { kind: 'failed', failure };
    }
    if (event.type !== 'finish') return { kind: 'event', event };
    const { type: _, ...answer } = event;
    if (!isAnswer<Answer>(answer)) throw new Error('the finish event has no response');
    return await judged(round, { kind: 'answered', answer, headers }, judge);
  } catch (error) {
    const outcome = await afterThrow(round, error);
    if (outcome.kind !== 'failed') return outcome;
    const failure = { ...outcome.failure, head: readHead(headers), isFree: true };
    return { kind: 'failed', failure };
  }
}

/**
 * Retries with the same key until the response is there, within the call's remaining time. The
 * gateway continues a call whose caller has disconnected, and joins the retry to it.
 */
async function collectAnswer<Answer extends object>(
  { round: begun, judge }: BegunStream<Answer>,
  from: { readonly attempts: number; readonly partialText: string },
): Promise<Answer> {
  const { runtime, hub, checked, ofCall } = begun;
  const timeoutMs = Math.max(0, begun.deadline.remainingMs());
  const deadline = startDeadline({ runtime, hub, timeoutMs, signal: checked.signal, ofCall });
  const round = { ...begun, deadline };

  async function readToEnd(): Promise<Outcome<Answer>> {
    const outcome = await attemptAndNote(round, takeStream);
    if (outcome.kind === 'failed')
      return { kind: 'failed', failure: ofCollecting(outcome.failure) };
    if (outcome.kind === 'ended') return outcome;
    try {
      for (;;) {
        const step = await readStep({ round, judge }, outcome);
        if (step.kind !== 'event') return step;
      }
    } finally {
      outcome.answer.cancel();
    }
  }

  try {
    return withMeta(round, await tryUntilAnswered(round, readToEnd, from));
  } finally {
    deadline.close();
  }
}

/**
 * The gateway's own wait for the call timed out, but the call continues: do not count an attempt.
 */
function ofCollecting(failure: Failure): Failure {
  return failure.code === 'GATEWAY_TIMEOUT' ? { ...failure, isFree: true } : failure;
}
