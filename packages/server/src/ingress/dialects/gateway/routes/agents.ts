import type { Tool, ToolChoice } from '@model-gateway/contract';
import type { CallContext } from '../../../../calls/model/call.ts';
import { createAgentTurn } from '../../../../calls/model-operations/agent.ts';
import type { App } from '../../../../domain/registered-app.ts';
import type { Crowded } from '../../../../json-schema/schema-entry.ts';
import type { CompiledSchema, Schemas } from '../../../../json-schema/schemas.ts';
import { createParser, invalid } from '../../../body/parse.ts';
import type { CallHandler, JsonBody, ParsedCall } from '../../../exchange/dialect.ts';
import type { GatewayRefusal } from '../../../exchange/refusal.ts';
import { checkConversation } from '../body/conversation.ts';
import type { HeadersOfCarry } from '../body/dropped-carry.ts';
import { compileSchema, crowded } from '../body/json-schema.ts';
import { agentBody } from '../body/schemas.ts';
import type { SizeOf } from '../body/size.ts';

export function createAgentsRoute(parts: {
  readonly schemas: Schemas;
  readonly sizeOf: SizeOf;
  readonly headersOfCarry: HeadersOfCarry;
}): CallHandler {
  const { schemas, sizeOf, headersOfCarry } = parts;
  const parse = createParser(agentBody);
  return { kind: 'call', parse: parseCall };

  async function parseCall(
    { text, bytes }: JsonBody,
    { app, log }: CallContext,
  ): Promise<ParsedCall | GatewayRefusal> {
    const request = parse(text);
    log.model = request.model;
    const { messages, maxTokens, tools, toolChoice } = request;
    const hasCarry = checkConversation(messages);
    checkNames(tools, toolChoice);
    const inputs = await compileInputs(schemas, app, tools);
    if (!(inputs instanceof Map)) return crowded(inputs);
    const operation = createAgentTurn(inputs);
    const schemaText = operation.schemaText(request);
    const size = sizeOf({
      text,
      bodyBytes: bytes,
      messages,
      maxTokens,
      schemaText,
      hasTools: true,
    });
    const headers = hasCarry ? { headersOf: headersOfCarry(request) } : {};
    return { kind: 'call', operation, request, size, ...headers };
  }
}

function checkNames(tools: readonly Tool[], toolChoice: ToolChoice | undefined) {
  const names = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name)) throw invalid(`tools[${index}].name`, `is given twice: "${name}"`);
    names.add(name);
  }
  if (typeof toolChoice !== 'object' || names.has(toolChoice.name)) return;
  throw invalid('toolChoice.name', `does not match any tool: ${JSON.stringify(toolChoice.name)}`);
}

/** Sequential, so always the first fault is reported. */
async function compileInputs(
  schemas: Schemas,
  app: App,
  tools: readonly Tool[],
): Promise<Map<string, CompiledSchema> | Crowded> {
  const compiled = new Map<string, CompiledSchema>();
  for (const [index, { name, inputSchema: schema }] of tools.entries()) {
    const path = `tools[${index}].inputSchema`;
    const input = await compileSchema(schemas, { app, schema, path });
    if (input.kind === 'crowded') return input;
    compiled.set(name, input);
  }
  return compiled;
}
