import type { AttemptOutcome, AttemptStream } from '../../platforms/model/port.ts';
import type { CallError } from './call-error.ts';
import type { SharedStream } from './live-call.ts';
import type { CallResult } from './result.ts';

/** A streamed call from its reservation to its settlement. */
export interface CallStream extends SharedStream {
  /** Follows its attempts. */
  readonly attempt: AttemptStream;
  /** Whether no attempt may follow: callers were shown a part of an answer, or wait no more. */
  isLast(): boolean;
  /** Why an attempt's stream did not come to its end; undefined where it did. */
  faultOf(outcome: AttemptOutcome): StreamFault | undefined;
  /** Its answer has been read: how it stands with its followers. */
  close(outcome: AttemptOutcome): StreamEnding;
  /** It is settled: tells all followers what it came to. */
  end(result: CallResult): void;
  /** It could not be settled. */
  fail(error: unknown): void;
  /** The process ends, and the call with it. */
  stop(): void;
}

/**
 * `platform`: it broke off, or was silent for too long; `ours`: the call was cut, or its caller had
 * gone or did not read, so that the platform may not be to blame.
 */
export type StreamFault = 'platform' | 'ours';

/** How a streamed call stands with its callers when its answer has been read. */
export interface StreamEnding {
  /** What they have got already, or have left for. */
  readonly early: CallError | undefined;
  /** What a failure is told as. */
  readonly error: CallError | undefined;
  /** True where nothing may be told that contradicts what was. */
  readonly hasBegun: boolean;
  /** Whether a caller still follows it. */
  readonly isFollowed: boolean;
  /** Whether its last caller has disconnected. */
  readonly isLeft: boolean;
  /** The most that a caller got. */
  readonly deliveredBytes: number;
  /** Whether its user pays for what was delivered, though the call had no good end. */
  readonly isPaidAsDelivered: boolean;
}
