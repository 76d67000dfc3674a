import { bodyLimits } from '@model-gateway/contract';
import { createModelPort } from '../../failures/model-port.ts';
import {
  isFailure,
  type OpenReader,
  refusalOfShape,
  type Send,
  unusableAnswer,
} from '../../http/transport.ts';
import type { ModelRequest } from '../../model/model-request.ts';
import type { Encoded } from '../codec/encoded.ts';
import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { readUsage } from './read-usage.ts';
import { readVectors } from './read-vectors.ts';
import { TurnedReader } from './turned-reader.ts';
import { type VectorLimits, VectorReader } from './vector-reader.ts';

/**
 * How numbers are written: `base64` of 32-bit floats, which is all that their maker has of them, or
 * `float`, as decimals, which loses nothing of any server's numbers, and which all servers know.
 */
export type EncodingFormat = 'base64' | 'float';

/** What a surface of embeddings consists of. */
export interface EmbeddingsParts extends SurfaceParts {
  readonly encodingFormat: EncodingFormat;
}

/** Models that speak OpenAI's embeddings. Each answer has a reader of its own. */
export function createOpenAiEmbeddings(parts: EmbeddingsParts): SurfaceModels {
  const { encodingFormat } = parts;
  return (upstreamModel) =>
    createModelPort(
      (request, options) => {
        const limits = limitsOf(request, encodingFormat);
        const reader = new VectorReader(limits);
        const send = readingSend(parts.send, limits, reader);
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

/** Sends, and lets an answer with 200 be read as it comes: what it says besides is its body. */
function readingSend(send: Send, { bytesMax }: VectorLimits, reader: VectorReader): Send {
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
  if (embed === undefined) return { problem: 'no words for a conversation' };
  const { texts: input, dimensions } = embed;
  return { body: { model: upstreamModel, input, dimensions, encoding_format: encodingFormat } };
}

/** Bytes of one number: four in base64, or the digits of a double, set in a line of its own. */
const bytesOfNumber: Record<EncodingFormat, number> = { base64: 6, float: 32 };

/** What stands around the vectors, and beside each of them. */
const frameBytes = 1_048_576;
const besideBytes = 256;

/** No honest answer to one request is longer. */
const bytesMost = 268_435_456;

/** The longest honest answer: so many numbers as can be for each text, and some for its frame. */
function limitsOf({ embed }: ModelRequest, encodingFormat: EncodingFormat): VectorLimits {
  const { texts = [], dimensions = bodyLimits.embeddingDimensionsMax } = embed ?? {};
  const numbers = texts.length * dimensions;
  const bytesMax = Math.min(bytesMost, numbers * bytesOfNumber[encodingFormat] + frameBytes);
  const restBytesMax = frameBytes + texts.length * besideBytes;
  // One that does not shorten its vectors is told so, where there are few of them.
  return { bytesMax, restBytesMax, numbersMax: numbers + frameBytes };
}
