import { bodyLimits } from '@model-gateway/contract';
import type { Encoded } from '../encoded.ts';
import type { ModelRequest } from '../model-request.ts';
import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import type { AnswerLimits } from '../transport.ts';
import { readUsage } from './read-usage.ts';
import { readVectors } from './read-vectors.ts';

/**
 * How numbers are written: `base64` of 32-bit floats, which is all that their maker has of them, or
 * `float`, as decimals, which loses nothing of any server's numbers, and which all servers know.
 */
export type EncodingFormat = 'base64' | 'float';

/** What a surface of embeddings consists of. */
export interface EmbeddingsParts extends SurfaceParts {
  readonly encodingFormat: EncodingFormat;
}

/** Models that speak OpenAI's embeddings. */
export function createOpenAiEmbeddings(parts: EmbeddingsParts): SurfaceModels {
  const { encodingFormat } = parts;
  return createSurface(parts, {
    encode: (upstreamModel, request) => encode(upstreamModel, request, encodingFormat),
    decode: ({ data }) => {
      const vectors = readVectors(data);
      return vectors && { content: [], finish: 'stop', finishRaw: undefined, vectors };
    },
    readUsage,
    stream: undefined,
    answerLimits: (request) => limitsOf(request, encodingFormat),
  });
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
const valuesOfVector = 8;

/** No honest answer to one request is longer, and no text of this process may be. */
const bytesMost = 268_435_456;

/** The longest honest answer: so many numbers as can be for each text, and some for its frame. */
function limitsOf({ embed }: ModelRequest, encodingFormat: EncodingFormat): AnswerLimits {
  const { texts = [], dimensions = bodyLimits.embeddingDimensionsMax } = embed ?? {};
  const numbers = texts.length * dimensions;
  const bytesMax = Math.min(bytesMost, numbers * bytesOfNumber[encodingFormat] + frameBytes);
  const values = (encodingFormat === 'float' ? numbers : 0) + texts.length * valuesOfVector;
  return {
    bytesMax,
    bounds: { depthMax: 16, valuesMax: values + 1_000, namesMax: values + 1_000 },
  };
}
