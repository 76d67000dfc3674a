import type { EmbeddingsRequest } from '@model-gateway/contract';
import type { EmbeddedText } from '../../platforms/model/model-request.ts';
import type { AnsweredAttempt, ModelOperation, ParsedAnswer } from '../model/operation.ts';
import { badOutput } from './bad-output.ts';
import { type PassedFields, passedTo } from './passed-fields.ts';

export interface EmbedInput extends Omit<EmbeddingsRequest, 'input'> {
  readonly input: string | readonly EmbeddedText[];
  readonly passed?: PassedFields | undefined;
}

export const embeddings: ModelOperation<EmbedInput> = {
  name: 'embeddings',
  encode: ({ input, dimensions, passed }, model) => ({
    messages: [],
    embed: { texts: textsOf(input), dimensions },
    fields: passedTo(model, passed),
  }),
  read,
  pieceOf: () => undefined,
  schemaText: () => undefined,
  promptBytes: ({ input }) => textsOf(input).reduce((sum, text) => sum + promptBytesIn(text), 0),
};

/** Without counts, 3 bytes count as a token, and each token id as one. */
function promptBytesIn(text: EmbeddedText): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : 3 * text.length;
}

export function textCountOf({ input }: Pick<EmbedInput, 'input'>): number {
  return textsOf(input).length;
}

function textsOf(input: EmbedInput['input']): readonly EmbeddedText[] {
  return typeof input === 'string' ? [input] : input;
}

/**
 * Callers store vectors together: the count must match the texts, and all lengths must be equal.
 */
function read(
  { vectors = [] }: AnsweredAttempt,
  { model, input, dimensions }: EmbedInput,
): ParsedAnswer {
  const { length } = textsOf(input);
  if (vectors.length !== length) {
    const texts = length === 1 ? '1 text' : `${length} texts`;
    return badOutput(model, `returned ${vectors.length} embeddings for ${texts}`);
  }
  const expectedLength = dimensions ?? vectors[0]?.length;
  for (const [index, { length: actualLength }] of vectors.entries()) {
    if (actualLength === 0)
      return badOutput(model, `returned no usable embedding of text ${index}`);
    if (actualLength === expectedLength) continue;
    const cure = dimensions === undefined ? 'call again' : 'remove dimensions, or call again';
    return badOutput(
      model,
      `returned ${actualLength} numbers instead of ${expectedLength} for text ${index}`,
      cure,
    );
  }
  return { kind: 'ok', output: { kind: 'embeddings', vectors } };
}
