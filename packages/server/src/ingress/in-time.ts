import type { Clock } from '../lib/clock.ts';
import { createTimeLimit } from '../lib/time-limit.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { Answer } from './exchange/answer.ts';
import { refused } from './exchange/refusal.ts';

/** The gateway's time limit: what runs on behind it is settled all the same. */
export interface InTime {
  /** The answer that `work` comes to, or the gateway's 504 where it comes too late. */
  answer(authorized: AuthorizedRequest, work: Promise<Answer>): Promise<Answer>;
  /** Whether the time of every request has ended, also of those that still come. */
  readonly isEnding: boolean;
  /** Ends the time of every request now, and of those that still come. */
  endAll(): void;
}

/** Puts the limit around what answers. */
export function createInTime(parts: { readonly clock: Clock; readonly gatewayMs: number }): InTime {
  const { clock, gatewayMs } = parts;
  const gatewayTime = createTimeLimit(clock, gatewayMs);
  const inTime = { answer, isEnding: false, endAll };
  return inTime;

  function endAll() {
    inTime.isEnding = true;
    gatewayTime.endAll();
  }

  function answer(authorized: AuthorizedRequest, work: Promise<Answer>): Promise<Answer> {
    const { caller, callerGone, dialect, log, permit, request } = authorized;
    return new Promise((resolve, reject) => {
      const timer = gatewayTime.begin(() => {
        // A duplicate that is still running will have its answer soon.
        const retryAfterSeconds = log.isWaiting ? 1 : undefined;
        const late = refused('GATEWAY_TIMEOUT', retryAfterSeconds);
        const isAdoptable = caller.customer?.adoptRetries === true;
        resolve(dialect.refuse({ ...late, isAdoptable }, request));
        // It ends the reading of the body, too: the permit is released whatever the client does.
        callerGone.fire();
      });
      const onAnswer = (answer: Answer) => {
        timer.cancel();
        releaseWith(authorized, answer);
        resolve(answer);
      };
      const onFault = (error: unknown) => {
        timer.cancel();
        permit.release();
        reject(error);
      };
      work.then(onAnswer, onFault);
    });
  }
}

/**
 * The one end of every permit that is not transferred. An answer that its client does not read
 * takes up room as well; a caller that has gone reads none, and behind a 504 nothing more is said.
 * The gateway's own answers are a line, and may be out long before the rest of an unread body.
 */
function releaseWith({ callerGone, permit, request }: AuthorizedRequest, answer: Answer) {
  const { stream } = answer;
  if (callerGone.hasFired() || answer.refusal !== undefined) {
    stream?.leave();
    return permit.release();
  }
  if (stream !== undefined) {
    request.whenLeft(() => {
      stream.leave();
      callerGone.fire();
    });
    return stream.whenEnded(() => request.whenTaken(permit.release));
  }
  permit.keepFor(Buffer.byteLength(answer.body));
  request.whenTaken(permit.release);
}
