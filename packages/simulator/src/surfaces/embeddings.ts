import { hash } from 'node:crypto';
import type { EmbedRequest } from '../model-request.ts';
import { openaiErrorBody } from '../platform-error.ts';
import { decodeEmbeddings } from './embeddings-decode.ts';
import { statedTwice } from './stated-twice.ts';
import type { AnswerParts, SurfaceWire } from './surface.ts';

/** The same text has the same numbers in every run. */
export const embeddingsSurface: SurfaceWire = {
  surface: 'embeddings',
  path: '/v1/embeddings',
  projectHeader: 'openai-project',
  decode: decodeEmbeddings,
  encode: encodeEmbeddings,
  encodeError: openaiErrorBody,
};

const usualDimensions = 16;

function encodeEmbeddings(parts: AnswerParts): string {
  const { model, produced, request, statedUsage, statedFirst: first, vectors } = parts;
  const { embed = nothing } = request;
  const { texts, dimensions = usualDimensions, encodingFormat } = embed;
  const data = Array.from({ length: vectors ?? texts.length }, (_, index) => {
    const floats = floatsOf(texts[index] ?? '', dimensions);
    const embedding =
      encodingFormat === 'base64' ? Buffer.from(floats.buffer).toString('base64') : [...floats];
    return { object: 'embedding', index, embedding };
  });
  const { inputTokens } =
    statedUsage === 'absent' ? produced.usage : (statedUsage ?? produced.usage);
  const usage = { prompt_tokens: inputTokens, total_tokens: inputTokens };
  const answer = { object: 'list', data, model };
  const json = JSON.stringify(statedUsage === 'absent' ? answer : { ...answer, usage });
  if (first === undefined) return json;
  return statedTwice(json, first.how, { prompt_tokens: first.inputTokens });
}

const nothing: EmbedRequest = { texts: [], dimensions: undefined, encodingFormat: 'float' };

/** A vector of length 1, derived only from the text: 32-bit floats. */
function floatsOf(text: string, dimensions: number): Float32Array {
  let state = Number.parseInt(hash('sha256', text).slice(0, 8), 16);
  const numbers = Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  const length = Math.hypot(...numbers.slice(0, 1_000)) || 1;
  return Float32Array.from(numbers, (number) => number / length);
}
