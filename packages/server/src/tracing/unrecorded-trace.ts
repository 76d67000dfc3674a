import { placeText } from './ids.ts';
import type { RequestTrace } from './request-trace.ts';
import { type TraceParent, traceHeaders } from './traceparent.ts';

/** A trace that is known here and not recorded: the log and the records of calls name it. */
export function createUnrecordedTrace(parent: TraceParent): RequestTrace {
  return {
    isSampled: false,
    place: placeText(parent.traceId, parent.spanId),
    headers: () => traceHeaders(parent),
    reserved: () => undefined,
    settled: () => undefined,
    joined: () => undefined,
    answered: () => undefined,
  };
}
