import type { CallContext } from '../../../../calls/model/call.ts';
import { createObject } from '../../../../calls/model-operations/object.ts';
import type { Catalog } from '../../../../catalog/catalog.ts';
import type { Schemas } from '../../../../json-schema/schemas.ts';
import { createParser } from '../../../body/parse.ts';
import type { CallHandler, JsonBody, ParsedCall } from '../../../exchange/dialect.ts';
import type { GatewayRefusal } from '../../../exchange/refusal.ts';
import { checkConversation } from '../body/conversation.ts';
import type { HeadersOfCarry } from '../body/dropped-carry.ts';
import { compileSchema, crowded } from '../body/json-schema.ts';
import { objectBody } from '../body/schemas.ts';
import type { SizeOf } from '../body/size.ts';

export function createObjectsRoute(parts: {
  readonly schemas: Schemas;
  readonly sizeOf: SizeOf;
  readonly headersOfCarry: HeadersOfCarry;
  readonly catalog: Catalog;
}): CallHandler {
  const { schemas, sizeOf, catalog, headersOfCarry } = parts;
  const parse = createParser(objectBody);
  return { kind: 'call', parse: parseCall };

  async function parseCall(
    { text, bytes }: JsonBody,
    { app, log }: CallContext,
  ): Promise<ParsedCall | GatewayRefusal> {
    const request = parse(text);
    log.model = request.model;
    const { messages, maxTokens, schema } = request;
    const hasCarry = checkConversation(messages);
    const compiled = await compileSchema(schemas, { app, schema, path: 'schema' });
    if (compiled.kind === 'crowded') return crowded(compiled);
    const operation = createObject(compiled);
    const hasTools = usesToolForOutput(catalog, request.model);
    const schemaText = operation.schemaText(request);
    const size = sizeOf({ text, bodyBytes: bytes, messages, maxTokens, schemaText, hasTools });
    const headers = hasCarry ? { headersOf: headersOfCarry(request) } : {};
    return { kind: 'call', operation, request, size, ...headers };
  }
}

export function usesToolForOutput(catalog: Catalog, id: string): boolean {
  const { models = [catalog.model(id)] } = catalog.alias(id) ?? {};
  return models.some(({ structuredOutput }) => structuredOutput === 'tool');
}
