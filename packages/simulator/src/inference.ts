import type { Admission, Admitted } from './admission.ts';
import type { BillBook } from './bill.ts';
import { type SimulatorClock, wait } from './clock.ts';
import type { SimulatorIds } from './ids.ts';
import type { SimulatorModel, TokenPrices } from './models.ts';
import type { Answer, AnswerFault, ModelCall, Outcome, RawReply } from './outcome.ts';
import { PlatformError, type PlatformErrorParts } from './platform-error.ts';
import { produce } from './produce.ts';
import type { SurfaceWire } from './surfaces/surface.ts';
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
  function deliver(wire: SurfaceWire, { call, model, namedProject }: Admitted, answer: Answer) {
    const produced = produce(call, answer);
    const { requestId, projectId } = call;
    const at = clock.now();
    const { usage } = produced;
    const prices = pricesOf(model);
    const told = { requestId, projectId, model: model.id, label: answer.label };
    const onAnswered = book.charge({ ...told, usage, prices, at });
    const body = wire.encode({
      model: model.id,
      produced,
      statedUsage: answer.statedUsage,
      createdAtSeconds: Math.floor(at / 1_000),
      nextId: ids.next,
    });
    const headers = { ...headersOf(wire, requestId), [wire.projectHeader]: namedProject };
    const whole = { status: 200, headers, body, onAnswered };
    return later(clock, answer.handoverDelayMs, () => {
      if (typeof answer.fault !== 'object') return spoiled(whole, answer.fault);
      return { ...whole, ...rawReply(wire, requestId, answer.fault) };
    });
  }
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
