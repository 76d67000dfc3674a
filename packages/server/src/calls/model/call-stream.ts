import type { AttemptOutcome, AttemptStream } from '../../platforms/model/port.ts';
import type { SharedStream } from './live-call.ts';
import type { CallResult, StreamEnding } from './result.ts';

export interface CallStream extends SharedStream {
  readonly attempt: AttemptStream;
  /** No attempt may follow: callers saw a part, or wait no more. */
  isLast(): boolean;
  faultOf(outcome: AttemptOutcome): StreamFault | undefined;
  /** Call once its answer is read. */
  close(outcome: AttemptOutcome): StreamEnding;
  end(result: CallResult): void;
  fail(error: unknown): void;
  stop(): void;
}

/**
 * `platform`: it broke off or fell silent; `ours`: cut, abandoned or unread, so the platform may
 * not be to blame.
 */
export type StreamFault = 'platform' | 'ours';
