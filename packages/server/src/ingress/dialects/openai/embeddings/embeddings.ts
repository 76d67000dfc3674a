import { bodyLimits } from '@model-gateway/contract';
import Type from 'typebox';
import type { ModelOperation } from '../../../../calls/model/operation.ts';
import {
  type EmbedInput,
  embeddings,
  textCountOf,
} from '../../../../calls/model-operations/embeddings.ts';
import type { PassedFields } from '../../../../calls/model-operations/passed-fields.ts';
import type { IngressConfig } from '../../../../domain/ingress.ts';
import { isRecord } from '../../../../lib/json-value.ts';
import { createParser } from '../../../body/parse.ts';
import type { CallHandler } from '../../../exchange/dialect.ts';
import { droppedHeaders } from '../../compatible/dropped-fields.ts';
import {
  type PassedFieldsParts,
  passedIn,
  passedText,
  withheldFrom,
  withoutPassed,
} from '../../compatible/passed-fields.ts';
import { userIdOf } from '../../compatible/user-id.ts';
import { embeddingsBody } from '../../gateway/body/schemas.ts';
import { createSizeOf } from '../../gateway/body/size.ts';
import { inspect } from '../../relay/inspect.ts';
import type { FieldsShape } from '../../relay/shape.ts';
import { withoutNulls } from '../chat/known-fields.ts';

const { model, input: texts, dimensions } = embeddingsBody.properties;
const token = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 });
const tokens = Type.Array(token, { minItems: 1 });
const input = Type.Union([
  ...texts.anyOf,
  tokens,
  Type.Array(tokens, { minItems: 1, maxItems: bodyLimits.embeddingTextsMax }),
]);
const user = Type.Optional(Type.String());

const openAiBody = Type.Object({
  ...{ model, input, dimensions, user, safety_identifier: user },
  encoding_format: Type.Optional(Type.Union([Type.Literal('float'), Type.Literal('base64')])),
});

const knownFields: FieldsShape = {
  fields: Object.fromEntries(Object.keys(openAiBody.properties).map((name) => [name, 'any'])),
};

const inBase64: ModelOperation<EmbedInput> = {
  ...embeddings,
  async read(answered, request, row) {
    const result = await embeddings.read(answered, request, row);
    if (result.kind === 'error' || result.output.kind !== 'embeddings') return result;
    return { kind: 'ok', output: { ...result.output, isBase64: true } };
  },
};

interface EmbeddingsParts {
  readonly catalog: PassedFieldsParts['catalog'];
  readonly ingress: IngressConfig;
}

export function createEmbeddingsRoute({ catalog, ingress }: EmbeddingsParts): CallHandler {
  const sizeOf = createSizeOf();
  const isKnown = (name: string) => Object.hasOwn(knownFields.fields, name);
  const rows = { catalog, ingress, operation: 'embeddings', isKnown } as const;
  // Unknown fields are never forwarded.
  const additionalProperties = ingress.unknownFields === 'ignore';
  const parse = createParser(
    Type.Object(openAiBody.properties, { additionalProperties }),
    (body, extracted?: { passed: PassedFields | undefined }) => {
      const passed = passedIn(body, rows);
      if (extracted !== undefined) extracted.passed = passed;
      const own = withoutPassed(body, passed);
      return isRecord(own) ? withoutNulls(own) : own;
    },
  );
  return {
    kind: 'call',
    parse({ text, bytes }, { app, log }, head) {
      const extracted: { passed: PassedFields | undefined } = { passed: undefined };
      const body = parse(text, extracted);
      const { passed } = extracted;
      const { dropped } = inspect(knownFields, body, ingress);
      const { encoding_format: format, user, safety_identifier, ...sentFields } = body;
      log.model = sentFields.model;
      const fields = { user, safety_identifier };
      const userId = userIdOf(head, { fields, metadata: undefined }, app);
      const { model, input: rawInput, dimensions } = sentFields;
      const input = isTokens(rawInput) ? [rawInput] : rawInput;
      const request = { model, input, dimensions, userId, passed };
      const bodyBytes = tokensIn(input) ?? bytes;
      const shape = { text, bodyBytes, messages: [], maxTokens: 0 };
      const sized = sizeOf({ ...shape, schemaText: passedText(passed), hasTools: false });
      // A platform might write the fields before each text.
      const texts = textCountOf(request);
      const size = { ...sized, texts, schemaBytes: sized.schemaBytes * texts };
      const operation = format === 'base64' ? inBase64 : embeddings;
      const headersOf = (servedBy = model) =>
        droppedHeaders([...dropped, ...withheldFrom(passed, servedBy, rows)]);
      return { kind: 'call', operation, request, size, headersOf };
    },
  };
}

function isTokens(input: EmbedInput['input'] | readonly number[]): input is readonly number[] {
  return typeof input !== 'string' && typeof input[0] === 'number';
}

/** Each id is one token, which is a tighter bound than bytes. */
function tokensIn(input: EmbedInput['input']): number | undefined {
  if (typeof input === 'string') return undefined;
  let count = 0;
  for (const text of input) {
    if (typeof text === 'string') return undefined;
    count += text.length;
  }
  return count;
}
