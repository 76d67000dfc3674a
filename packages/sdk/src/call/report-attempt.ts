import { readHead } from './answer-head.ts';
import { giveUp } from './attempt.ts';
import type { Deadline } from './deadline.ts';
import type { Failure, Outcome } from './failure.ts';
import type { AttemptEvent, Settings } from './options.ts';
import type { Runtime } from './runtime.ts';

/** The call that the attempt is of. */
interface Watched {
  /** The client's method. */
  readonly owner: string;
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly deadline: Deadline;
}

/** What any outcome may have. */
type Loose = Pick<Outcome<unknown>, 'kind'> & { failure?: Failure; headers?: Headers };

/** Tells who watches of an attempt that has ended; they change nothing. */
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
  // A log that fails must not lose an answer that was paid for.
  if (onAttempt !== undefined) giveUp(Promise.resolve(event).then(onAttempt));
}
