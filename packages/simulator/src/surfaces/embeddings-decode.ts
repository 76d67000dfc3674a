import type { ModelMessage, ModelRequest } from '../model-request.ts';
import { invalid } from '../platform-error.ts';
import { type Fields, missingField, oneOf, wrongType } from './fields.ts';
import { openaiBody } from './openai-body.ts';

const textsMax = 2_048;
const dimensionsMax = 4_096;

const parameters: ReadonlySet<string> = new Set([
  ...['model', 'input', 'dimensions', 'encoding_format', 'user'],
]);

/** Each token id is read as a word. */
export function decodeEmbeddings(bodyText: string): ModelRequest {
  const body = openaiBody(bodyText, parameters);
  const model = body.requiredText('model');
  const texts = textsIn(body);
  body.text('user');
  return {
    model,
    // The last one is apart, since it may say what is to be done.
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
