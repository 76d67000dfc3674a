import type { TracedReservation, TracedSettlement } from '../calls/model/call-trace.ts';
import { noRouteName } from '../domain/ingress.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import { formatUsd } from '../lib/money.ts';
import type { AnsweredRequest } from '../lib/observer.ts';
import { formatSpanReference, newSpanId, newTraceId } from './ids.ts';
import { attemptSpans, modelSpan, type PlatformAddresses } from './model-spans.ts';
import type { RequestTrace } from './request-trace.ts';
import type { SpanAttributes, SpanRecord, SpanSink } from './span.ts';
import { type TraceParent, traceHeaders } from './traceparent.ts';

export interface RecordingParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sink: SpanSink;
  readonly platforms: PlatformAddresses;
  /** Undefined if unknown. Never rejects. */
  readonly findSpanReference: (callId: string) => Promise<string | undefined>;
}

export interface RecordedRequest {
  readonly parent: TraceParent | undefined;
  readonly path: string;
  /** Monotonic. */
  readonly startedMs: number;
  /** False: exported only on failure, so the next service is not requested to record. */
  readonly isSampled: boolean;
}

const slowMs = 10_000;

/**
 * Spans: request, reservation, platform, settlement. Unsampled ones wait here until a failure is
 * known.
 */
export function createRecordedTrace(
  parts: RecordingParts,
  recorded: RecordedRequest,
): RequestTrace {
  const { clock, ids, sink } = parts;
  const { parent, startedMs, isSampled } = recorded;
  const traceId = parent?.traceId ?? newTraceId(ids);
  const state = parent?.state;
  const spanId = newSpanId(ids);
  const startedAt = clock.now();
  const attemptIds: string[] = [];
  let waiting: SpanRecord[] | undefined = isSampled ? undefined : [];
  let isDropped = false;
  let joinedTo: Promise<string | undefined> | undefined;
  const at = (monotonicMs: number) => startedAt + (monotonicMs - startedMs);
  const own = (span: Omit<SpanRecord, 'traceId' | 'parentId' | 'state'>, parentId = spanId) =>
    add({ ...span, traceId, parentId, state });
  return {
    isSampled,
    spanReference: formatSpanReference(traceId, spanId),
    headers() {
      const attemptId = newSpanId(ids);
      attemptIds.push(attemptId);
      return traceHeaders({ ...parent, traceId, spanId: attemptId, isSampled, state });
    },
    reserved: (reservation) => own(reservationSpan(reservation)),
    settled,
    joined(callId) {
      joinedTo = parts.findSpanReference(callId);
    },
    answered(request) {
      const endedAt = at(clock.monotonic());
      if (joinedTo === undefined) return close(request, endedAt);
      void joinedTo.then((link) => close(request, endedAt, link));
    },
  };

  function reservationSpan({ startedMs, endedMs, heldPicoUsd }: TracedReservation) {
    return {
      ...({ name: 'reserve', kind: 'internal', spanId: newSpanId(ids), isError: false } as const),
      ...{ startedAt: at(startedMs), endedAt: at(endedMs) },
      attributes: { 'model_gateway.held_usd': formatUsd(heldPicoUsd) },
    };
  }

  function settled(settlement: TracedSettlement) {
    const model = modelSpan(settlement, parts.platforms, newSpanId(ids));
    own(model);
    const nextSpanId = () => attemptIds.shift() ?? newSpanId(ids);
    const attempts = attemptSpans(settlement, parts.platforms, nextSpanId);
    for (const attempt of attempts) own(attempt, model.spanId);
    own({
      ...{ name: 'settle', kind: 'internal', spanId: newSpanId(ids), isError: false },
      ...{ startedAt: at(settlement.startedMs), endedAt: at(settlement.endedMs) },
      attributes: { 'model_gateway.cost.usd': formatUsd(settlement.costPicoUsd) },
    });
  }

  function close(request: AnsweredRequest, endedAt: number, link?: string) {
    const isExported = isSampled || isFailure(request);
    add({
      ...{ name: serverSpanName(request), kind: 'server' },
      ...{ traceId, spanId, parentId: parent?.spanId, state, startedAt, endedAt, link },
      attributes: { ...serverAttributes(request, recorded.path), ...replayAttributes(joinedTo) },
      isError: request.status >= 500,
    });
    if (isExported) for (const span of waiting ?? []) sink.add(span);
    isDropped = !isExported;
    waiting = undefined;
  }

  function add(span: SpanRecord) {
    if (waiting !== undefined) waiting.push(span);
    else if (!isDropped) sink.add(span);
  }
}

function isFailure({ status, tookMs, facts }: AnsweredRequest): boolean {
  const { code = 'OK', estimated } = facts;
  return status >= 400 || code !== 'OK' || estimated === true || tookMs > slowMs;
}

function replayAttributes(joinedTo: unknown) {
  return joinedTo === undefined ? {} : { 'model_gateway.idempotent_replay': true };
}

/** Low cardinality: unknown methods are `HTTP`, and without a route the path is absent. */
function serverSpanName({ method, path, route }: AnsweredRequest): string {
  const verb = knownMethods.includes(method) ? method : 'HTTP';
  return route === noRouteName ? verb : `${verb} ${path}`;
}

const knownMethods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'],
];
const originalCharactersMax = 32;
const pathCharactersMax = 256;

function serverAttributes(request: AnsweredRequest, sentPath: string): SpanAttributes {
  const { method, path, route, status, requestId, refusal, facts } = request;
  const code = refusal ?? facts.code;
  const isKnown = knownMethods.includes(method);
  const isRouted = route !== noRouteName;
  return {
    'http.request.method': isKnown ? method : '_OTHER',
    'http.request.method_original': isKnown ? undefined : method.slice(0, originalCharactersMax),
    'http.route': isRouted ? path : undefined,
    // A value in a route's path might name a user.
    'url.path': isRouted
      ? path.replaceAll(/:\w+/g, 'REDACTED')
      : sentPath.slice(0, pathCharactersMax),
    // The listener's scheme: TLS ends in front of it.
    'url.scheme': 'http',
    'http.response.status_code': status,
    'error.type': code === 'OK' ? undefined : code,
    'model_gateway.app': facts.app,
    'model_gateway.request.id': requestId,
    'model_gateway.call.id': facts.callId,
  };
}
