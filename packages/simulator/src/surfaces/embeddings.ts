import { hash } from 'node:crypto';
import { type Fields, missingField, oneOf, wrongType } from '../lib/fields.ts';
import { invalid, openaiErrorBody } from '../lib/platform-error.ts';
import type { EmbedRequest, ModelMessage, ModelRequest } from '../model/model-request.ts';
import { openaiBody } from './openai-body.ts';
import { reportUsageTwice } from './report-usage-twice.ts';
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
  const { model, produced, request, reportedUsage, reportedFirst: first, vectors } = parts;
  const { embed = nothing } = request;
  const { texts, dimensions = usualDimensions, encodingFormat } = embed;
  const data = Array.from({ length: vectors ?? texts.length }, (_, index) => {
    const floats = floatsOf(texts[index] ?? '', dimensions);
    const embedding =
      encodingFormat === 'base64' ? Buffer.from(floats.buffer).toString('base64') : [...floats];
    return { object: 'embedding', index, embedding };
  });
  const { inputTokens } =
    reportedUsage === 'absent' ? produced.usage : (reportedUsage ?? produced.usage);
  const usage = { prompt_tokens: inputTokens, total_tokens: inputTokens };
  const answer = { object: 'list', data, model };
  const json = JSON.stringify(reportedUsage === 'absent' ? answer : { ...answer, usage });
  if (first === undefined) return json;
  return reportUsageTwice(json, first.how, { prompt_tokens: first.inputTokens });
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

const textsMax = 2_048;
const dimensionsMax = 4_096;

const parameters: ReadonlySet<string> = new Set([
  ...['model', 'input', 'dimensions', 'encoding_format', 'user'],
]);

function decodeEmbeddings(bodyText: string): ModelRequest {
  const body = openaiBody(bodyText, parameters);
  const model = body.requiredText('model');
  const texts = textsIn(body);
  body.text('user');
  return {
    model,
    // The last text is separate, since it may contain instructions.
    messages: [messageOf(texts.slice(0, -1)), messageOf(texts.slice(-1))],
    ...{ tools: [], toolChoice: 'auto', format: { kind: 'text' }, stop: [] },
    maxOutputTokens: undefined,
    embed: {
      texts,
      dimensions: body.integer('dimensions', 1, dimensionsMax),
      encodingFormat: oneOf(body, 'encoding_format', ['float', 'base64']) ?? 'float',
    },
  };
}

function textsIn(body: Fields): readonly string[] {
  const input = body.value('input');
  if (input === undefined) throw missingField('input');
  const list = typeof input === 'string' ? [input] : (body.list('input') ?? []);
  const texts = typeof list[0] === 'number' ? [list] : list;
  if (texts.length === 0 || texts.length > textsMax) {
    throw invalid(`Invalid 'input': expected 1 to ${textsMax} texts.`, 'input');
  }
  return texts.map((text, index) => {
    if (Array.isArray(text) && text.every(Number.isInteger)) return text.map(() => 'a').join(' ');
    if (typeof text !== 'string') throw wrongType(`input[${index}]`, 'a string', text);
    if (text === '') throw invalid("Invalid 'input': a text is empty.", 'input');
    return text;
  });
}

function messageOf(texts: readonly string[]): ModelMessage {
  return { role: 'user', texts, imageCount: 0, toolCalls: [] };
}
