import type { EmbeddingsRequest } from '@model-gateway/contract';
import Type from 'typebox';
import { embeddings } from '../../../../calls/operations/embeddings.ts';
import type { ModelOperation } from '../../../../calls/operations/operation.ts';
import type { IngressConfig } from '../../../../domain/ingress.ts';
import { createParser } from '../../../body/parse.ts';
import { userIdOf } from '../../compatible/user-id.ts';
import type { CallHandler } from '../../dialect.ts';
import { embeddingsBody } from '../../gateway/body/schemas.ts';
import { createSizeOf } from '../../gateway/body/size.ts';

const { model, input, dimensions } = embeddingsBody.properties;
const user = Type.Optional(Type.String());

/** The body as OpenAI's clients write it; `user` is who pays where the app meters credits. */
const openAiBody = Type.Object({
  ...{ model, input, dimensions, user, safety_identifier: user },
  encoding_format: Type.Optional(Type.Union([Type.Literal('float'), Type.Literal('base64')])),
});

/** What is told to a caller that wants base64. */
const inBase64: ModelOperation<EmbeddingsRequest> = {
  ...embeddings,
  async read(answered, request, row) {
    const reading = await embeddings.read(answered, request, row);
    if (reading.kind === 'error' || reading.output.kind !== 'embeddings') return reading;
    return { kind: 'ok', output: { ...reading.output, isBase64: true } };
  },
};

/** `POST /openai/v1/embeddings`. */
export function createEmbeddingsRoute({
  unknownFields,
}: Pick<IngressConfig, 'unknownFields'>): CallHandler {
  const sizeOf = createSizeOf();
  // Nothing that is not known is passed on.
  const additionalProperties = unknownFields === 'ignore';
  const parse = createParser(Type.Object(openAiBody.properties, { additionalProperties }));
  return {
    kind: 'call',
    parse({ text, bytes }, { log }, head) {
      const { encoding_format: format, user, safety_identifier, ...asked } = parse(text);
      log.model = asked.model;
      const fields = { user, safety_identifier };
      const userId = userIdOf(head, { fields, metadata: undefined });
      const { model, input, dimensions } = asked;
      const request = { model, input, dimensions, userId };
      const shape = { text, bodyBytes: bytes, messages: [], maxTokens: 0 };
      const size = sizeOf({ ...shape, schemaText: undefined, hasTools: false });
      const operation = format === 'base64' ? inBase64 : embeddings;
      return { kind: 'call', operation, request, size };
    },
  };
}
