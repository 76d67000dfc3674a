import type { AttemptOutcome, AttemptStream } from '../../platforms/model/port.ts';
import type { SharedStream } from './live-call.ts';
import type { CallResult, StreamEnding } from './result.ts';

export interface CallStream extends SharedStream {
  readonly attempt: AttemptStream;
  /** No attempt may follow: callers have received a part, or no longer wait. */
  isLast(): boolean;
  faultOf(outcome: AttemptOutcome): StreamFault | undefined;
  /** Call once the answer has been read. */
  close(outcome: AttemptOutcome): StreamEnding;
  end(result: CallResult): void;
  fail(error: unknown): void;
  stop(): void;
}

/**
 * `platform`: it broke off or fell silent; `ours`: canceled, abandoned or unread, so the platform
 * may not be at fault.
 */
export type StreamFault = 'platform' | 'ours';
