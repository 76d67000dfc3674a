import type { ChatRequest } from '@model-gateway/contract';
import type { ObjectCallRequest } from '../call/object.ts';
import type { CallOptions } from '../call/options.ts';
import type { AgentTurnRequest } from '../call/requests.ts';
import type { JsonSchema } from '../lib/schema.ts';
import { asTyped } from '../lib/typed.ts';
import type { AiCallOptions, AiTool, AiWarning } from './ai-types.ts';
import { writeMessages } from './write-messages.ts';

/** A call of the AI SDK as a request to the gateway. */
export type WrittenRequest = { readonly warnings: AiWarning[]; readonly options: CallOptions } & (
  | { readonly kind: 'chat'; readonly request: ChatRequest }
  | { readonly kind: 'object'; readonly request: ObjectCallRequest<JsonSchema> }
  | { readonly kind: 'agent'; readonly request: AgentTurnRequest }
);

/** Defaults of a call. */
export interface ModelSettings {
  readonly modelId: string;
  readonly maxOutputTokens: number;
  readonly userId: string | undefined;
  /** The client's user agent. */
  readonly userAgent: string;
}

/** The gateway's request for a call: an agent's turn, an object, or else a chat. */
export function writeRequest(settings: ModelSettings, call: AiCallOptions): WrittenRequest {
  const { prompt, temperature, topP, stopSequences, toolChoice, responseFormat: format } = call;
  const ours = call.providerOptions?.modelGateway ?? {};
  const { userId = settings.userId, idempotencyKey } = asTyped<OwnOptions>(ours);
  const messages = writeMessages(prompt);
  const request = {
    ...{ model: settings.modelId, messages, userId, temperature, topP },
    maxTokens: call.maxOutputTokens ?? settings.maxOutputTokens,
    stop: stopSequences,
  };
  const options = writeOptions(settings, call, idempotencyKey);
  const warnings = warningsOf(call);
  const tools = (call.tools ?? []).filter(({ type }) => type === 'function').map(offer);
  if (tools.length > 0 && toolChoice?.type !== 'none') {
    const choice =
      toolChoice?.type === 'tool' ? { name: toolChoice.toolName } : (toolChoice?.type ?? 'auto');
    const turn = { ...request, tools, toolChoice: choice };
    if (format?.type !== 'json') return { kind: 'agent', request: turn, options, warnings };
    const feature = 'responseFormat';
    const details =
      'with tools, the schema is sent as a message to the model, and the output is not validated';
    warnings.push({ type: 'compatibility', feature, details });
    const withSchema = [jsonInstruction(format.schema), ...messages];
    return { kind: 'agent', request: { ...turn, messages: withSchema }, options, warnings };
  }
  if (format?.type !== 'json') return { kind: 'chat', request, options, warnings };
  const { name, description, schema = { type: 'object' } } = format;
  const named = { schema: asTyped<JsonSchema>(schema), schemaDescription: description };
  return { kind: 'object', request: { ...request, ...named, schemaName: name }, options, warnings };
}

/** The options of `providerOptions.modelGateway`. */
export interface OwnOptions {
  /** The user who pays for the call. */
  readonly userId?: string | undefined;
  /** With the key K, an agent's steps have the keys K:1, K:2, …, as in `runAgent`. */
  readonly idempotencyKey?: string | undefined;
}

function writeOptions(
  settings: ModelSettings,
  { prompt, abortSignal, headers }: AiCallOptions,
  key: string | undefined,
): CallOptions {
  const turn = prompt.filter(({ role }) => role === 'assistant').length + 1;
  return {
    signal: abortSignal,
    headers: writeHeaders(settings, headers),
    idempotencyKey: key === undefined ? undefined : `${key}:${turn}`,
  };
}

/** The headers of a call, by lower-case name; the AI SDK's user agent comes before ours. */
export function writeHeaders(
  { userAgent }: Pick<ModelSettings, 'userAgent'>,
  headers: AiCallOptions['headers'] = {},
): Record<string, string> {
  const ownHeaders = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const names = Object.fromEntries(ownHeaders.map(([name, text]) => [name.toLowerCase(), text]));
  const agent = names['user-agent'];
  return agent === undefined ? names : { ...names, 'user-agent': `${agent} ${userAgent}` };
}

function offer({ name, description, inputSchema = {} }: AiTool) {
  return { name, description, inputSchema: asTyped<JsonSchema>(inputSchema) };
}

function jsonInstruction(schema: object | undefined) {
  const fit =
    schema === undefined ? '' : `, which fits this JSON Schema: ${JSON.stringify(schema)}`;
  const content = `Where you answer, and call no tool, answer with JSON alone${fit}`;
  return { role: 'system' as const, content };
}

const unknownSettings = ['topK', 'presencePenalty', 'frequencyPenalty', 'seed'] as const;

function warningsOf(call: AiCallOptions): AiWarning[] {
  const { reasoning = 'provider-default', tools = [] } = call;
  const features: string[] = unknownSettings.filter((name) => call[name] !== undefined);
  if (reasoning !== 'provider-default') features.push('reasoning');
  const others = tools.filter(({ type }) => type !== 'function');
  features.push(...others.map(({ name }) => `the provider's tool ${name}`));
  return features.map((feature) => ({ type: 'unsupported', feature }));
}
