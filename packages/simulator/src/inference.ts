import type { Admission, Admitted } from './admission.ts';
import { type BillBook, costOf } from './bill.ts';
import { type SimulatorClock, wait } from './lib/clock.ts';
import type { SimulatorIds } from './lib/ids.ts';
import { PlatformError, type PlatformErrorParts } from './lib/platform-error.ts';
import { type Exchange, eventStream, type Reply } from './lib/wire.ts';
import type { SimulatorModel, TokenPrices } from './model/models.ts';
import type {
  Answer,
  AnswerFault,
  ModelCall,
  Outcome,
  RawReply,
  Rejection,
} from './model/outcome.ts';
import { type Produced, produce } from './model/produce.ts';
import { type Billed, type OtherWords, reportedOtherwise } from './model/reported-otherwise.ts';
import type { StreamPlan } from './model/stream-plan.ts';
import type { TokenCounts } from './model/usage.ts';
import { rejectedReply } from './rejected.ts';
import type { StreamEncoder, StreamEvent } from './stream/encoder.ts';
import { createPlayer } from './stream/player.ts';
import { segmentsOf, usageOf } from './stream/segments.ts';
import type { AnswerParts, SurfaceWire } from './surfaces/surface.ts';

interface Parts {
  readonly clock: SimulatorClock;
  readonly ids: SimulatorIds;
  readonly book: BillBook;
  readonly admit: Admission;
  readonly outcomeOf: (call: ModelCall) => Outcome;
  readonly pricesOf: (model: SimulatorModel) => TokenPrices | undefined;
}

export type Inference = (wire: SurfaceWire, exchange: Exchange) => Reply | Promise<Reply>;

export function createInference(parts: Parts): Inference {
  const { clock, book, admit, outcomeOf, pricesOf } = parts;
  return (wire, exchange) => {
    try {
      return run(wire, admit(wire, exchange));
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return errorReply(wire, exchange.requestId, error.parts);
    }
  };

  function run(wire: SurfaceWire, admitted: Admitted): Reply | Promise<Reply> {
    const { requestId } = admitted.call;
    const outcome = outcomeOf(admitted.call);
    if (outcome.kind === 'silence') return new Promise(() => {});
    return later(clock, outcome.delayMs, () => {
      if (outcome.kind === 'answer') return deliver(wire, admitted, outcome);
      if (outcome.kind === 'rejection') return reject(wire, admitted, outcome);
      if (outcome.kind === 'raw') return rawReply(wire, requestId, outcome);
      return errorReply(wire, requestId, outcome.error, outcome.headers);
    });
  }

  /** From here on the call is billed, whatever happens to the response. */
  function deliver(wire: SurfaceWire, admitted: Admitted, answer: Answer) {
    const produced = produce(admitted.call, answer);
    const { stream } = admitted.call.request;
    const answerParts = partsOf(parts, admitted, { answer, produced });
    const own = ownHeaders(wire, admitted);
    const words = wordsOf(answer, produced.usage, pricesOf(admitted.model));
    const plan = stream === undefined ? undefined : planOf(answer);
    if (stream !== undefined && plan !== undefined) {
      const encoder = wire.createStreamEncoder?.(answerParts, { ...stream, counts: plan.counts });
      if (encoder !== undefined) {
        const reworded = words.ofStream(encoder);
        return streamReply(own, admitted, { answer, plan, produced, encoder: reworded });
      }
    }
    const onAnswered = charge(admitted, answer, produced.usage);
    const body = words.ofBody(wire.encode(answerParts));
    const whole = { status: 200, headers: own, body, onAnswered };
    return later(clock, answer.handoverDelayMs, () => {
      if (typeof answer.fault !== 'object') return spoiled(whole, answer.fault);
      return { ...whole, ...rawReply(wire, admitted.call.requestId, answer.fault) };
    });
  }

  function reject(wire: SurfaceWire, admitted: Admitted, rejection: Rejection): Reply {
    return rejectedReply({
      ...{ wire, rejection, call: admitted.call, headers: ownHeaders(wire, admitted) },
      partsOf: (answer, produced) => partsOf(parts, admitted, { answer, produced }),
      charge: (usage) => void charge(admitted, rejection, usage),
    });
  }

  function streamReply(
    own: Readonly<Record<string, string>>,
    admitted: Admitted,
    { answer, plan, produced, encoder }: Streamed,
  ): Reply {
    const segments = segmentsOf(produced, plan);
    const stream = createPlayer({
      ...{ clock, plan: brokenBy(answer, plan, segments.length), segments, encoder },
      delayMs: answer.handoverDelayMs ?? 0,
      usageOf: (generated) => usageOf({ produced, reported: answer.usage }, segments, generated),
      charge: (usage) => charge(admitted, answer, usage),
    });
    return { status: 200, headers: { ...own, ...eventStream }, body: '', stream };
  }

  function charge({ call, model }: Admitted, { label }: Labelled, usage: TokenCounts) {
    const { requestId, projectId } = call;
    const callParts = { requestId, projectId, model: model.id, label };
    return book.charge({ ...callParts, usage, prices: pricesOf(model), at: clock.now() });
  }
}

type Labelled = Pick<Answer, 'label'>;

function wordsOf({ reports }: Answer, usage: TokenCounts, prices: TokenPrices | undefined) {
  if (reports === undefined) {
    return { ofBody: (json: string) => json, ofStream: (encoder: StreamEncoder) => encoder };
  }
  const billed = { usage, picoUsd: prices === undefined ? 0n : costOf(usage, prices) };
  return {
    ofBody: (json: string) => reportedOtherwise(json, reports, billed),
    ofStream: (encoder: StreamEncoder) => encodeOtherwise(encoder, reports, billed),
  };
}

function partsOf(
  { clock, ids }: Pick<Parts, 'clock' | 'ids'>,
  { call, model }: Admitted,
  { answer, produced }: { readonly answer: Answer; readonly produced: Produced },
): AnswerParts {
  const { vectors, reportedUsage, reportedFirst } = answer;
  return {
    ...{ model: model.id, produced, request: call.request, vectors, reportedUsage, reportedFirst },
    createdAtSeconds: Math.floor(clock.now() / 1_000),
    nextId: ids.next,
  };
}

interface Streamed {
  readonly answer: Answer;
  readonly plan: StreamPlan;
  readonly produced: Produced;
  readonly encoder: StreamEncoder;
}

/** Undefined for a response that is lost before its head, or replaced: it is not streamed. */
function planOf({ fault, stream = {} }: Answer): StreamPlan | undefined {
  return fault === 'reset' || typeof fault === 'object' ? undefined : stream;
}

/** The faults of whole responses, half way through a stream. */
function brokenBy({ fault }: Answer, plan: StreamPlan, deltas: number): StreamPlan {
  if (fault === undefined || plan.stop !== undefined) return plan;
  const how = fault === 'half' ? 'end' : 'break';
  return { ...plan, stop: { how, after: Math.floor(deltas / 2) } };
}

function later(
  clock: SimulatorClock,
  delayMs: number | undefined,
  then: () => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  return delayMs === undefined || delayMs <= 0 ? then() : wait(clock, delayMs).then(then);
}

function spoiled(whole: Reply, fault: Exclude<AnswerFault, RawReply> | undefined): Reply {
  if (fault === undefined) return whole;
  if (fault !== 'half') return { ...whole, fault };
  return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) };
}

function errorReply(
  wire: SurfaceWire,
  requestId: string,
  error: PlatformErrorParts,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const all = { ...headersOf(wire, requestId), ...headers };
  return { status: error.status, headers: all, body: wire.encodeError(error, requestId) };
}

function rawReply(
  wire: SurfaceWire,
  requestId: string,
  { status, headers, body = '', fault }: RawReply,
): Reply {
  const reply = { status, headers: { ...idHeader(wire, requestId), ...headers }, body };
  return fault === undefined ? reply : { ...reply, fault };
}

function ownHeaders(wire: SurfaceWire, { call, namedProject }: Admitted) {
  return { ...headersOf(wire, call.requestId), [wire.projectHeader]: namedProject };
}

function headersOf(wire: SurfaceWire, requestId: string): Record<string, string> {
  return { 'content-type': 'application/json', ...idHeader(wire, requestId) };
}

function idHeader({ requestIdHeader = 'x-request-id' }: SurfaceWire, requestId: string) {
  return { [requestIdHeader]: requestId };
}

function encodeOtherwise(encoder: StreamEncoder, words: OtherWords, billed: Billed): StreamEncoder {
  const all = (events: readonly StreamEvent[]) =>
    events.map((event) => ({ ...event, data: reportedOtherwise(event.data, words, billed) }));
  return { ...encoder, begin: () => all(encoder.begin()), end: () => all(encoder.end()) };
}
