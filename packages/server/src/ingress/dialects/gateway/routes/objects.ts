import { createObject } from '../../../../calls/operations/object.ts';
import type { Infer } from '../../../../calls/run.ts';
import type { Catalog } from '../../../../catalog/catalog.ts';
import type { Schemas } from '../../../../json-schema/schemas.ts';
import { createParser } from '../../../body/parse.ts';
import { checkConversation } from '../body/conversation.ts';
import { compileSchema, crowdedAnswer } from '../body/json-schema.ts';
import { objectBody } from '../body/schemas.ts';
import type { SizeOf } from '../body/size.ts';
import type { Route } from './route.ts';

/** `POST /v1/objects`. */
export function createObjectsRoute(parts: {
  readonly infer: Infer;
  readonly schemas: Schemas;
  readonly sizeOf: SizeOf;
  readonly catalog: Catalog;
}): Route {
  const { infer, schemas, sizeOf, catalog } = parts;
  const parse = createParser(objectBody);
  return async ({ app, context, readJson }) => {
    const { text, bytes } = readJson();
    const request = parse(text);
    context.log.model = request.model;
    const { messages, maxTokens, schema } = request;
    checkConversation(messages);
    const compiled = await compileSchema(schemas, { app, schema, path: 'schema' });
    if (compiled.kind === 'crowded') return crowdedAnswer(compiled);
    const operation = createObject(compiled);
    // A forced tool brings its preamble along.
    const hasTools = catalog.model(request.model).structuredOutput === 'tool';
    const schemaText = operation.schemaText(request);
    const size = sizeOf({ text, bodyBytes: bytes, messages, maxTokens, schemaText, hasTools });
    return infer.run({ operation, request, size, context });
  };
}
