import { bodyLimits } from '@model-gateway/contract';
import type { Vector } from '../../../domain/vector.ts';
import { countOf, fieldOf, isRecord } from '../../../lib/json-value.ts';
import { largeBytes, type RequestWork } from '../../../lib/work.ts';
import { hasUsage, readUsage as readAll } from '../../evidence/read-usage.ts';
import { createModelPort } from '../../failures/model-port.ts';
import type { Flow } from '../../http/flow.ts';
import {
  type ByteReader,
  isFailure,
  type OpenReader,
  type ReadResult,
  refusalOfShape,
  type Send,
  unusableAnswer,
} from '../../http/transport.ts';
import type { ModelRequest } from '../../model/model-request.ts';
import type { ReportedUsage } from '../../model/port.ts';
import type { Encoded } from '../codec/encoded.ts';
import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { floatsIn, isNumber } from './floats.ts';
import { type VectorLimits, VectorReader } from './vector-reader.ts';

/** `base64`: 32-bit floats; `float`: decimals, lossless, and all servers support them. */
export type EncodingFormat = 'base64' | 'float';

export interface EmbeddingsParts extends SurfaceParts {
  readonly encodingFormat: EncodingFormat;
}

export function createOpenAiEmbeddings(parts: EmbeddingsParts): SurfaceModels {
  const { encodingFormat } = parts;
  return (upstreamModel) =>
    createModelPort(
      (request, options) => {
        const limits = limitsOf(request, encodingFormat);
        const reader = new VectorReader(limits);
        const send = createReadingSend(parts.send, limits, reader);
        const models = createSurface({ ...parts, send }, codecOf(encodingFormat, reader));
        return models(upstreamModel).attempt(request, options);
      },
      { streams: false, wire: undefined, carryNames: [] },
    );
}

function codecOf(
  encodingFormat: EncodingFormat,
  { vectors: read }: VectorReader,
): Parameters<typeof createSurface>[1] {
  return {
    encode: (upstreamModel, request) => encode(upstreamModel, request, encodingFormat),
    decode({ data }) {
      const vectors = readVectors(data, read);
      return vectors && { content: [], finish: 'stop', finishRaw: undefined, vectors };
    },
    readUsage,
    stream: undefined,
  };
}

/** Reads a response with 200 on arrival; the body is the rest of it. */
function createReadingSend(send: Send, { bytesMax }: VectorLimits, reader: VectorReader): Send {
  return async (request) => {
    const { work } = request;
    let turned: TurnedReader | undefined;
    const openReader: OpenReader = ({ status }, flow) => {
      if (status !== 200) return undefined;
      turned = work && new TurnedReader(reader, flow, work);
      return turned ?? reader;
    };
    const sent = await send({ ...request, answerBytesMax: bytesMax, openReader });
    if (isFailure(sent)) return sent;
    const { status, headers } = sent;
    const last = await turned?.last();
    const body = reader.rest();
    if (body === undefined) return sent;
    const refusal = typeof last === 'object' ? last : refusalOfShape(body);
    return refusal === undefined ? { ...sent, body } : unusableAnswer({ status, headers }, refusal);
  };
}

function encode(
  upstreamModel: string,
  { embed }: ModelRequest,
  encodingFormat: EncodingFormat,
): Encoded {
  if (embed === undefined) return { problem: 'embeddings cannot express a conversation' };
  const { texts: input, dimensions } = embed;
  return { body: { model: upstreamModel, input, dimensions, encoding_format: encodingFormat } };
}

/** Four bytes in base64, or a double's digits on a separate line. */
const bytesOfNumber: Record<EncodingFormat, number> = { base64: 6, float: 32 };

/** Bytes around the vectors, and next to each. */
const frameBytes = 1_048_576;
const bytesNextToVector = 256;

const bytesMost = 268_435_456;

/** The longest valid response: the most numbers per text, plus its frame. */
function limitsOf({ embed }: ModelRequest, encodingFormat: EncodingFormat): VectorLimits {
  const { texts = [], dimensions = bodyLimits.embeddingDimensionsMax } = embed ?? {};
  const numbers = texts.length * dimensions;
  const bytesMax = Math.min(bytesMost, numbers * bytesOfNumber[encodingFormat] + frameBytes);
  const restBytesMax = frameBytes + texts.length * bytesNextToVector;
  // With few texts, the margin allows the specific error for a server that ignores `dimensions`.
  return { bytesMax, restBytesMax, numbersMax: numbers + frameBytes };
}

/** Embeddings have no output; some servers report only the total. */
export function readUsage(body: unknown): ReportedUsage {
  const usage = readAll(body);
  if (!hasUsage(body)) return usage;
  const { outputTokens = 0 } = usage;
  return { ...usage, inputTokens: usage.inputTokens ?? totalIn(body), outputTokens };
}

function totalIn(body: unknown): number | undefined {
  return isRecord(body) ? countOf(fieldOf(body.usage, 'total_tokens')) : undefined;
}

const none: Vector = [];

/**
 * In the order of the texts; unreadable vectors are empty. Undefined for another shape, and no
 * vectors for a repeated index. `read`: vectors parsed on arrival; the response contains their
 * indexes.
 */
export function readVectors(
  data: unknown,
  read?: readonly Vector[],
): readonly Vector[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const vectors: Vector[] = new Array(data.length).fill(none);
  const filled = new Uint8Array(data.length);
  for (const [position, entry] of data.entries()) {
    const index = fieldOf(entry, 'index') ?? position;
    if (typeof index !== 'number' || filled[index] !== 0) return [];
    filled[index] = 1;
    vectors[index] = vectorOf(fieldOf(entry, 'embedding'), read);
  }
  return vectors;
}

function vectorOf(embedding: unknown, read: readonly Vector[] | undefined): Vector {
  if (typeof embedding === 'string') return read?.[Number(embedding)] ?? floatsIn(embedding);
  return Array.isArray(embedding) && embedding.every(isNumber) ? embedding : none;
}

/** Bytes per turn; until the turn the flow is paused. */
const turnBytes = 65_536;

/** Reads in the app's turns, because many long responses may arrive at once. */
export class TurnedReader implements ByteReader {
  readonly #reader: ByteReader;
  readonly #flow: Flow;
  readonly #work: RequestWork;
  #bytes = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #turn: Promise<void> | undefined;
  #last: ReadResult;

  constructor(reader: ByteReader, flow: Flow, work: RequestWork) {
    this.#reader = reader;
    this.#flow = flow;
    this.#work = work;
  }

  read(chunk: Buffer): ReadResult {
    if (this.#last !== undefined) return this.#last;
    this.#bytes += chunk.length;
    if (this.#bytes <= largeBytes) return this.#reader.read(chunk);
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= turnBytes) this.#flow.pause();
    this.#turn ??= this.#readHeld();
    return undefined;
  }

  async last(): Promise<ReadResult> {
    await this.#turn;
    return this.#last;
  }

  async #readHeld() {
    await this.#work.turn();
    const startedMs = this.#work.nowMs();
    for (const chunk of this.#held) this.#last ??= this.#reader.read(chunk);
    this.#held = [];
    this.#heldBytes = 0;
    this.#turn = undefined;
    this.#work.note('response', startedMs);
    this.#flow.resume();
  }
}
