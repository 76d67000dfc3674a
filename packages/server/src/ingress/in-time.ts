import type { Clock } from '../lib/clock.ts';
import { createTimeLimit } from '../lib/time-limit.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import type { Answer } from './exchange/answer.ts';
import { refused } from './exchange/refusal.ts';

/** Work after the time limit continues, and is settled. */
export interface InTime {
  answer(authorized: AuthorizedRequest, work: Promise<Answer>): Promise<Answer>;
  readonly isEnding: boolean;
  /** Applies to later requests, too. */
  endAll(): void;
}

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
    const { caller, callerDisconnected, dialect, log, permit, request } = authorized;
    return new Promise((resolve, reject) => {
      const timer = gatewayTime.begin(() => {
        // A running duplicate will have its response soon.
        const retryAfterSeconds = log.isWaiting ? 1 : undefined;
        const timeoutRefusal = refused('GATEWAY_TIMEOUT', retryAfterSeconds);
        const isAdoptable = caller.customer?.adoptRetries === true;
        resolve(dialect.refuse({ ...timeoutRefusal, isAdoptable }, request));
        // Also ends the reading of the body: the permit is released whatever the client does.
        callerDisconnected.fire();
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
 * The only release of permits that no stream took over. Unread responses use memory, except after a
 * 504 or a disconnection. The gateway's short responses may precede the rest of an unread body.
 */
function releaseWith({ callerDisconnected, permit, request }: AuthorizedRequest, answer: Answer) {
  const { stream } = answer;
  if (callerDisconnected.hasFired() || answer.refusal !== undefined) {
    stream?.leave();
    return permit.release();
  }
  if (stream !== undefined) {
    request.whenDisconnected(() => {
      stream.leave();
      callerDisconnected.fire();
    });
    return stream.whenEnded(() => request.whenAccepted(permit.release));
  }
  permit.shrinkTo(Buffer.byteLength(answer.body));
  request.whenAccepted(permit.release);
}
