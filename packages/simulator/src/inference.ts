import type { Admission, Admitted } from './admission.ts';
import type { BillBook } from './bill.ts';
import { type SimulatorClock, wait } from './clock.ts';
import type { SimulatorIds } from './ids.ts';
import type { SimulatorModel, TokenPrices } from './models.ts';
import type { Answer, AnswerFault, ModelCall, Outcome, RawReply } from './outcome.ts';
import { PlatformError, type PlatformErrorParts } from './platform-error.ts';
import { type Produced, produce } from './produce.ts';
import { beatsOf, usageOf } from './stream/beats.ts';
import type { StreamEncoder } from './stream/encoder.ts';
import type { StreamPlan } from './stream/plan.ts';
import { createPlayer } from './stream/player.ts';
import type { SurfaceWire } from './surfaces/surface.ts';
import type { TokenCounts } from './usage.ts';
import type { Exchange, Reply } from './wire.ts';

interface Parts {
  readonly clock: SimulatorClock;
  readonly ids: SimulatorIds;
  readonly book: BillBook;
  readonly admit: Admission;
  readonly outcomeOf: (call: ModelCall) => Outcome;
  readonly pricesOf: (model: SimulatorModel) => TokenPrices | undefined;
}

/** Answers one model call on one surface; at once where nothing has to be waited for. */
export type Inference = (wire: SurfaceWire, exchange: Exchange) => Reply | Promise<Reply>;

/** The way of a model call: admitted, run, billed, answered. */
export function createInference(parts: Parts): Inference {
  const { clock, ids, book, admit, outcomeOf, pricesOf } = parts;
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
      if (outcome.kind === 'raw') return rawReply(wire, requestId, outcome);
      return errorReply(wire, requestId, outcome.error, outcome.headers);
    });
  }

  /** The model has its answer: from here on it is billed, whatever becomes of the answer. */
  function deliver(wire: SurfaceWire, admitted: Admitted, answer: Answer) {
    const produced = produce(admitted.call, answer);
    const { stream } = admitted.call.request;
    const at = clock.now();
    const parts = {
      model: admitted.model.id,
      produced,
      request: admitted.call.request,
      vectors: answer.vectors,
      ...{ statedUsage: answer.statedUsage, statedFirst: answer.statedFirst },
      createdAtSeconds: Math.floor(at / 1_000),
      nextId: ids.next,
    };
    const { projectHeader } = wire;
    const named = { [projectHeader]: admitted.namedProject };
    const own = { ...headersOf(wire, admitted.call.requestId), ...named };
    const plan = stream === undefined ? undefined : planOf(answer);
    if (stream !== undefined && plan !== undefined) {
      const encoder = wire.createStreamEncoder?.(parts, { ...stream, counts: plan.counts });
      if (encoder !== undefined)
        return streamed(own, admitted, { answer, plan, produced, encoder });
    }
    const onAnswered = charge(admitted, answer, produced.usage);
    const whole = { status: 200, headers: own, body: wire.encode(parts), onAnswered };
    return later(clock, answer.handoverDelayMs, () => {
      if (typeof answer.fault !== 'object') return spoiled(whole, answer.fault);
      return { ...whole, ...rawReply(wire, admitted.call.requestId, answer.fault) };
    });
  }

  function streamed(
    own: Readonly<Record<string, string>>,
    admitted: Admitted,
    { answer, plan, produced, encoder }: Streamed,
  ): Reply {
    const beats = beatsOf(produced, plan);
    const stream = createPlayer({
      ...{ clock, plan: brokenBy(answer, plan, beats.length), beats, encoder },
      delayMs: answer.handoverDelayMs ?? 0,
      usageOf: (generated) => usageOf({ produced, told: answer.usage }, beats, generated),
      charge: (usage) => charge(admitted, answer, usage),
    });
    const type = 'text/event-stream; charset=utf-8';
    return { status: 200, headers: { ...own, 'content-type': type }, body: '', stream };
  }

  function charge({ call, model }: Admitted, { label }: Answer, usage: TokenCounts) {
    const { requestId, projectId } = call;
    const told = { requestId, projectId, model: model.id, label };
    return book.charge({ ...told, usage, prices: pricesOf(model), at: clock.now() });
  }
}

interface Streamed {
  readonly answer: Answer;
  readonly plan: StreamPlan;
  readonly produced: Produced;
  readonly encoder: StreamEncoder;
}

/** Undefined for an answer that is lost before its head, or replaced: none of it is streamed. */
function planOf({ fault, stream = {} }: Answer): StreamPlan | undefined {
  return fault === 'reset' || typeof fault === 'object' ? undefined : stream;
}

/** The faults of whole answers, half way through a stream. */
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

function headersOf(wire: SurfaceWire, requestId: string): Record<string, string> {
  return { 'content-type': 'application/json', ...idHeader(wire, requestId) };
}

function idHeader({ requestIdHeader = 'x-request-id' }: SurfaceWire, requestId: string) {
  return { [requestIdHeader]: requestId };
}
