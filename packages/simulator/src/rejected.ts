import { eventStream, isRecord, type Reply } from './lib/wire.ts';
import type { Surface } from './model/model-request.ts';
import type { Answer, ModelCall, Rejection } from './model/outcome.ts';
import { type Produced, produce } from './model/produce.ts';
import { rejectionOf } from './model/rejections.ts';
import type { TokenCounts } from './model/usage.ts';
import type { StreamEvent } from './stream/encoder.ts';
import { createFraming } from './stream/framing.ts';
import type { AnswerParts, SurfaceWire } from './surfaces/surface.ts';

interface Rejected {
  readonly wire: SurfaceWire;
  readonly rejection: Rejection;
  readonly call: ModelCall;
  readonly headers: Readonly<Record<string, string>>;
  partsOf(answer: Answer, produced: Produced): AnswerParts;
  charge(usage: TokenCounts): void;
}

/** Only counts reported before the rejection are billed. */
export function rejectedReply(parts: Rejected): Reply {
  const { wire, call, rejection, headers } = parts;
  const body = rejectionOf(rejection.shape);
  if (call.request.stream === undefined || rejection.at === 'whole') {
    return { status: 200, headers, body: JSON.stringify(body) };
  }
  const events = [...openingOf(parts), eventOf(body, wire.surface)];
  const framing = createFraming({});
  const text = Buffer.concat([...framing.pieces(events), ...framing.rest()]).toString();
  return { status: 200, headers: { ...headers, ...eventStream }, body: text };
}

function openingOf({ wire, call, rejection, partsOf, charge }: Rejected): readonly StreamEvent[] {
  const { at, usage } = rejection;
  if (at === 'first') return [];
  const produced = produce(call, { kind: 'answer', usage: { ...usage, outputTokens: 1 } });
  const { inputTokens, outputTokens } = produced.usage;
  if (at === 'counted') charge(produced.usage);
  const counts = at === 'counted' ? { inputTokens, outputTokens } : noCounts;
  const answer = { kind: 'answer', reportedFirst: { ...counts, how: 'start' } } as const;
  const stream = { includeUsage: true, counts: undefined };
  return wire.createStreamEncoder?.(partsOf(answer, produced), stream).begin() ?? [];
}

const noCounts = { inputTokens: 0, outputTokens: 0 } as const;

function eventOf(body: unknown, surface: Surface): StreamEvent {
  if (surface === 'chat') return { data: JSON.stringify(chunkOf(body)) };
  const isResponse = isRecord(body) && body.object === 'response';
  if (!isResponse) return { name: 'error', data: JSON.stringify(body) };
  const type = 'response.failed';
  return { name: type, data: JSON.stringify({ type, sequence_number: 2, response: body }) };
}

/** A stream's choice has a delta; its error is next to the choices. */
function chunkOf(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body.choices)) return body;
  const [{ error, message: delta, ...choice }] = body.choices;
  const choices = [{ ...choice, delta }];
  return { ...body, object: 'chat.completion.chunk', choices, error };
}
