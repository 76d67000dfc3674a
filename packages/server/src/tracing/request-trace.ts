import type { CallTrace } from '../calls/model/call-trace.ts';
import type { AnsweredRequest } from '../lib/observer.ts';

export interface RequestTrace extends CallTrace {
  readonly isSampled: boolean;
  /** Last byte written, or caller disconnected; the call may continue. */
  answered(request: AnsweredRequest): void;
}
