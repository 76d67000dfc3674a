import type { EmbeddingsRequest } from '@model-gateway/contract';
import { badOutput } from './bad-output.ts';
import type { Answered, ModelOperation, Reading } from './operation.ts';

/** `POST /v1/embeddings`: texts in, a vector for each of them out. */
export const embeddings: ModelOperation<EmbeddingsRequest> = {
  name: 'embeddings',
  encode: ({ input, dimensions }) => ({
    messages: [],
    embed: { texts: textsOf(input), dimensions },
  }),
  read,
  shown: () => undefined,
  schemaText: () => undefined,
  promptBytes: ({ input }) =>
    textsOf(input).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
};

function textsOf(input: EmbeddingsRequest['input']): readonly string[] {
  return typeof input === 'string' ? [input] : input;
}

/** Who stores vectors beside each other needs as many as there are texts, all of one length. */
function read(
  { vectors = [] }: Answered,
  { model, input, dimensions }: EmbeddingsRequest,
): Reading {
  const { length } = textsOf(input);
  if (vectors.length !== length) {
    const texts = length === 1 ? '1 text' : `${length} texts`;
    return badOutput(model, `gave ${vectors.length} embeddings for ${texts}`);
  }
  const wanted = dimensions ?? vectors[0]?.length;
  for (const [index, { length: found }] of vectors.entries()) {
    if (found === 0) return badOutput(model, `gave no usable embedding of text ${index}`);
    if (found === wanted) continue;
    const cure = dimensions === undefined ? 'call again' : 'ask for no dimensions, or call again';
    return badOutput(model, `gave ${found} numbers and not ${wanted} for text ${index}`, cure);
  }
  return { kind: 'ok', output: { kind: 'embeddings', vectors } };
}
