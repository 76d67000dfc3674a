import type { CallTrace } from '../calls/model/call-trace.ts';
import type { AnsweredRequest } from '../lib/observer.ts';

/** A request's part of its trace. */
export interface RequestTrace extends CallTrace {
  /** Whether a collector will have it, whatever becomes of the request. */
  readonly isSampled: boolean;
  /** Its last byte is written, or its caller has left. A call of it may go on. */
  answered(request: AnsweredRequest): void;
}
