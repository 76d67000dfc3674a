import { placeText } from './ids.ts';
import type { RequestTrace } from './request-trace.ts';
import { type TraceParent, traceHeaders } from './traceparent.ts';

/** Appears only in the log and in call records. */
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
