import type { CallTrace } from '../calls/model/call-trace.ts';
import type { AnsweredRequest } from '../lib/observer.ts';

export interface RequestTrace extends CallTrace {
  readonly isSampled: boolean;
  /** Called after the last byte, or when the caller disconnected; the call may continue. */
  answered(request: AnsweredRequest): void;
}
