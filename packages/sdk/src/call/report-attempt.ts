import { readHead } from './answer-head.ts';
import { giveUp } from './attempt.ts';
import type { Deadline } from './deadline.ts';
import type { Failure, Outcome } from './failure.ts';
import type { AttemptEvent, Settings } from './options.ts';
import type { Runtime } from './runtime.ts';

/** The call of the attempt. */
interface Watched {
  /** The client's method. */
  readonly owner: string;
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly deadline: Deadline;
}

/** Fields that any outcome might have. */
type Loose = Pick<Outcome<unknown>, 'kind'> & { failure?: Failure; headers?: Headers };

/** Notifies observers of a finished attempt; they change nothing. */
export function reportAttempt(
  { owner, runtime, settings, deadline }: Watched,
  outcome: Outcome<unknown>,
  timed: Pick<AttemptEvent, 'attempt' | 'durationMs'>,
): void {
  const { onAttempt } = settings;
  const { kind, failure, headers }: Loose = outcome;
  const head = headers === undefined ? failure?.head : readHead(headers);
  const ended = deadline.ending()?.kind === 'aborted' ? 'ABORTED' : 'TIMEOUT';
  const code = kind === 'ended' ? ended : failure?.code;
  const event = { method: owner, ...timed, gatewayRequestId: head?.gatewayRequestId, code };
  runtime.publish?.(event);
  // A log that fails must not lose a response that was paid for.
  if (onAttempt !== undefined) giveUp(Promise.resolve(event).then(onAttempt));
}
