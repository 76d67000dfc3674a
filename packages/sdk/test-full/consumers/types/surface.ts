// Compiled by the tests, not run: valid and invalid code of a TypeScript user.
import {
  type AgentResult,
  type AgentRunState,
  type AgentStep,
  type AgentTool,
  type CallMeta,
  type ChatAnswer,
  type ChatRequest,
  type Client,
  createClient,
  LlmError,
  type LlmErrorCode,
  type Message,
  metaOf,
  type ObjectAnswer,
  type ToolCall,
  type ToolChoice,
  ToolError,
  tool,
} from '@model-gateway/sdk';
import { createOpenAiSettings, type OpenAiSettings } from '@model-gateway/sdk/openai';
import { createFakeClient, type FakeClient } from '@model-gateway/sdk/testing';
import { assertSame } from './same.js';

const client: Client = createClient({ baseUrl: 'https://a.test/v1', apiKey: 'k', fetch });
const request = {
  model: 'm',
  maxTokens: 9,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};

/** As declared by `@types/json-schema` and others: an interface without an index signature. */
interface JSONSchema7 {
  $schema?: string | undefined;
  type?: 'object' | 'string' | 'number' | ('object' | 'string')[] | undefined;
  properties?: { [key: string]: JSONSchema7 | boolean } | undefined;
  required?: string[] | undefined;
  additionalProperties?: JSONSchema7 | boolean | undefined;
}
interface City {
  city: string;
}
declare const schema7: JSONSchema7;

export async function chats(signal: AbortSignal): Promise<void> {
  const answer = await client.chat(request, { signal, timeoutMs: undefined });
  assertSame<typeof answer, ChatAnswer>(true);
  const usd: string | null = answer.cost.usd;
  // @ts-expect-error maxTokens is required
  await client.chat({ model: 'm', messages: request.messages });
  // @ts-expect-error unknown option
  await client.chat(request, { retries: 3 });
  // @ts-expect-error a GET has no idempotency key
  await client.usage({ idempotencyKey: 'k' });
  const conversation: Message[] = [...request.messages, { role: 'assistant', content: usd ?? '' }];
  await client.chat({ ...request, messages: conversation });
}

/** A caller's own options can be forwarded, even if they may be undefined. */
export async function passesOn(own: {
  userId: string | undefined;
  temperature: number | undefined;
  topP: number | undefined;
  stop: string[] | undefined;
  content: string | undefined;
  toolCalls: ToolCall[] | undefined;
  toolChoice: ToolChoice | undefined;
  schemaName: string | undefined;
}): Promise<void> {
  const { userId, temperature, topP, stop, toolChoice, schemaName, content, toolCalls } = own;
  const message: Message = { role: 'assistant', content, toolCalls };
  const messages = [...request.messages, message];
  const fullRequest: ChatRequest = { ...request, messages, userId, temperature, topP, stop };
  await client.chat(fullRequest);
  await client.agent({ ...fullRequest, tools, toolChoice });
  await client.object<City>({ ...fullRequest, schema: schema7, schemaName });
}

/** The id for the operator, and a call's duration and cost. */
export async function measures(): Promise<CallMeta> {
  const meta = metaOf(await client.chat(request));
  const id: string | undefined = meta.gatewayRequestId;
  return { ...meta, attempts: id === undefined ? 0 : meta.attempts };
}

export async function objects(): Promise<void> {
  const answer = await client.object<City>({ ...request, schema: { type: 'object' } });
  assertSame<typeof answer, ObjectAnswer<City>>(true);
  const literal = { type: 'object', properties: { city: { type: 'string' } }, 'x-own': [1, null] };
  await client.object<City>({ ...request, schema: literal });
  await client.object<City>({ ...request, schema: schema7 });
  await client.object<City | { none: true }>({ ...request, schema: schema7 });
  await client.object<unknown>({ ...request, schema: schema7 });
  // @ts-expect-error a plain JSON Schema needs <T>
  await client.object({ ...request, schema: { type: 'object' } });
  // @ts-expect-error a plain JSON Schema needs <T>
  await client.object({ ...request, schema: schema7 });
  // @ts-expect-error a text is not a schema
  await client.object<City>({ ...request, schema: '{}' });
  // @ts-expect-error the schema is missing
  await client.object<City>(request);
}

/** A user's own wrapper stays generic. */
export async function ask<T>(schema: JSONSchema7): Promise<T> {
  return (await client.object<T>({ ...request, schema })).object;
}

const weather = tool<City>({
  name: 'weather',
  input: schema7,
  execute: async ({ city }, { signal, toolCallId, turn, idempotencyKey }) => {
    if (signal.aborted) throw new ToolError('too late', { cause: signal.reason });
    assertSame<[typeof toolCallId, typeof turn, typeof idempotencyKey], [string, number, string]>(
      true,
    );
    return city.toUpperCase();
  },
});
const clock = tool<{ zone?: string }>({ name: 'clock', input: {}, execute: () => 'noon' });
const shape = tool<{ side: number } | { radius: number }>({
  name: 'area',
  input: { anyOf: [] },
  execute: (input) => ('side' in input ? input.side ** 2 : input.radius ** 2 * 3),
});
const tools: readonly AgentTool[] = [weather, clock, shape];

// @ts-expect-error a plain JSON Schema needs its type
tool({ name: 'a', input: { type: 'object' }, execute: () => 1 });
tool<City>({
  name: 'a',
  input: {},
  // @ts-expect-error its input has no such field
  execute: ({ town }) => town,
});
// @ts-expect-error its input has another type
tool<City>({ name: 'a', input: {}, execute: ({ city }: { city: number }) => city });

export async function runs(saved: AgentRunState): Promise<AgentResult> {
  await client.agent({ ...request, tools });
  await client.agent({ ...request, tools: [{ name: 'a', inputSchema: schema7 }] });
  // @ts-expect-error runAgent needs tools made by tool()
  await client.runAgent({ ...request, tools: [{ name: 'a', inputSchema: {} }] });
  for await (const step of client.runAgent({ ...request, tools }).steps()) {
    assertSame<typeof step, AgentStep>(true);
  }
  const onStep = async ({ run }: AgentStep): Promise<number> => run.turns;
  const limits = { maxTurns: 3, maxCostUsd: '0.05' };
  const run = await client.runAgent({ ...request, tools, ...limits }, { onStep, resume: saved });
  const why: 'done' | 'max-turns' | 'max-cost' = run.stopReason;
  return why === 'done' ? run : { ...run, text: '' };
}

export function handles(error: unknown): number {
  if (!LlmError.is(error)) throw error;
  const code: LlmErrorCode | (string & {}) = error.code;
  switch (error.code) {
    case 'BUDGET_EXCEEDED':
      return error.retryAfterMs ?? 0;
    case 'TIMEOUT':
      return error.run?.turns ?? code.length;
    default:
      return error.status;
  }
}

export const fake: FakeClient = createFakeClient([
  { text: 'Hello' },
  { toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] },
  { error: { code: 'BUDGET_EXCEEDED', retryAfter: 60 } },
  ({ request: fullRequest }) => ({ text: String(fullRequest.model) }),
]);
// @ts-expect-error unknown code
createFakeClient([{ error: 'NO_MONEY' }]);

/** As clients of OpenAI's API declare their options. */
interface TheirOptions {
  baseURL?: string | null | undefined;
  apiKey?: string | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}
const settings: OpenAiSettings = createOpenAiSettings({ baseUrl: 'https://a.test/v1' });
export const theirs: TheirOptions = settings;

/** A wrapper of tool() stays generic too. */
export function makeTool<Input>(name: string, execute: (input: Input) => string): AgentTool {
  return tool<Input>({ name, input: schema7, execute });
}
