import { type Judge, type Round, tellAndWait } from '../call.ts';
import { endedError, failedError } from '../call-error.ts';
import { startDeadline } from '../deadline.ts';
import type { Failure } from '../failure.ts';
import type { LlmError } from '../llm-error.ts';
import { decideRetry } from '../retry.ts';
import { openStream } from './open-stream.ts';
import { readStream } from './stream-reader.ts';

/** A stream that broke: why, and after how many attempts. */
interface Broken {
  readonly failure: Failure;
  readonly attempts: number;
}

/**
 * Asks again under the same key, in the time that the call has left, until the answer is there: the
 * gateway goes on with a call that its caller has lost, and joins the repetition to it.
 */
export async function collectAnswer<Answer extends object>(
  begun: Round,
  broken: Broken,
  judge: Judge<Answer> | undefined,
): Promise<Answer> {
  const { runtime, hub, checked, ofCall } = begun;
  const timeoutMs = Math.max(0, begun.deadline.remainingMs());
  const deadline = startDeadline({ runtime, hub, timeoutMs, signal: checked.signal, ofCall });
  try {
    return await poll({ ...begun, deadline }, broken, judge);
  } finally {
    deadline.close();
  }
}

type Tried<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** A free one uses no attempt up: the call is at work, or its stream had begun. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly isFree: boolean }
  | { readonly kind: 'ended' };

async function poll<Answer extends object>(
  round: Round,
  { failure, attempts }: Broken,
  judge: Judge<Answer> | undefined,
): Promise<Answer> {
  const partialText = failure.found?.partialText;
  const pause = createPause(round, partialText);
  let made = attempts;
  let lastError = await pause({ failure, isFree: true }, made);
  // Bounded by `maxAttempts` where attempts count, and by the deadline.
  for (;;) {
    const ending = round.deadline.ending();
    if (ending !== undefined) {
      throw endedError(round, { ending, attempts: made, lastError, partialText });
    }
    made += 1;
    const tried = await tryOnce(round, made, judge);
    if (tried.kind === 'answered') return tried.answer;
    if (tried.kind === 'failed') lastError = await pause(tried, made);
  }
}

async function tryOnce<Answer extends object>(
  round: Round,
  attempts: number,
  judge: Judge<Answer> | undefined,
): Promise<Tried<Answer>> {
  const outcome = await openStream(round);
  if (outcome.kind === 'ended') return outcome;
  if (outcome.kind === 'failed') {
    const { failure } = outcome;
    // The gateway itself gave up waiting for the call, which goes on.
    return { kind: 'failed', failure, isFree: failure.code === 'GATEWAY_TIMEOUT' };
  }
  const reader = readStream<Answer>(round, { ...outcome.answer, attempts }, judge);
  try {
    for (;;) {
      const step = await reader.next();
      if (step.kind === 'failed') throw step.error;
      if (step.kind === 'broken') return { ...step, kind: 'failed', isFree: true };
      if (step.event.type === 'finish') return { kind: 'answered', answer: step.event.answer };
    }
  } finally {
    reader.cancel();
  }
}

/** Doublings of the wait while nothing is wrong but that it takes long: up to 4 s. */
const freeDoublingsMax = 4;

/** The wait after a failure; it throws the failure where there is to be no other attempt. */
function createPause(round: Round, partialText: string | undefined) {
  const { runtime, checked, deadline } = round;
  let [counted, free] = [0, 0];
  return async (
    { failure, isFree }: { readonly failure: Failure; readonly isFree: boolean },
    attempts: number,
  ): Promise<LlmError> => {
    if (isFree) free++;
    else counted++;
    const whole = { ...failure, found: { ...failure.found, partialText } };
    const error = failedError(round, { failure: whole, attempts });
    const decision = decideRetry({
      failure,
      attempts: isFree ? Math.min(free, freeDoublingsMax) : counted,
      maxAttempts: isFree ? Number.POSITIVE_INFINITY : checked.maxAttempts,
      remainingMs: deadline.remainingMs(),
      random: runtime.random,
    });
    if (deadline.ending() !== undefined) return error;
    if (decision.kind === 'stop') throw error;
    await tellAndWait(round, { attempt: attempts, waitMs: decision.waitMs, error });
    return error;
  };
}
