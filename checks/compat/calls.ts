import assert from 'node:assert/strict';
import { type Client, LlmError, tool } from '@model-gateway/sdk';
import { conversation, secretWords } from './conversation.ts';

/** The usage and the cost that a caller received, all turns together. */
export interface Outcome {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: string;
}

/** One of the tested calls; it throws if the response is not the expected one. */
export interface Call {
  readonly name: string;
  make(parts: CallParts): Promise<Outcome>;
}

interface CallParts {
  readonly client: Client;
  readonly model: string;
  readonly refusalCode: string;
}

const maxTokens = 100;

/** All calls, in the order of the report. */
export const calls: readonly Call[] = [
  { name: 'chat', make: callChat },
  { name: 'object', make: callObject },
  { name: 'agent, 2 turns', make: runAgent },
  { name: 'refusal', make: callForRefusal },
];

async function callChat({ client, model }: CallParts): Promise<Outcome> {
  const { prompt, answer } = conversation.chat;
  const { text, finishReason, usage, cost } = await client.chat({
    model,
    maxTokens,
    messages: [{ role: 'user', content: prompt }],
  });
  assert.deepEqual({ text, finishReason }, { text: answer, finishReason: 'stop' });
  assert.equal(cost.estimated, false, 'the server reported its counts');
  return { ...usage, costUsd: String(cost.usd) };
}

async function callObject({ client, model }: CallParts): Promise<Outcome> {
  const { prompt, answer, schema } = conversation.object;
  const { object, usage, cost } = await client.object<{ country: string }>({
    model,
    maxTokens,
    schema,
    messages: [{ role: 'user', content: prompt }],
  });
  assert.deepEqual(object, answer);
  assert.equal(cost.estimated, false, 'the server reported its counts');
  return { ...usage, costUsd: String(cost.usd) };
}

async function runAgent({ client, model }: CallParts): Promise<Outcome> {
  const { prompt, answer, toolName, toolSchema, toolInput, toolResult } = conversation.agent;
  const inputs: unknown[] = [];
  const temperature = tool<{ city: string }>({
    name: toolName,
    description: 'How warm it is in a city.',
    input: toolSchema,
    execute: (input) => {
      inputs.push(input);
      return toolResult;
    },
  });
  const { text, turns, stopReason, usage, costUsd } = await client.runAgent({
    model,
    maxTokens,
    tools: [temperature],
    messages: [{ role: 'user', content: prompt }],
  });
  assert.deepEqual(inputs, [toolInput]);
  assert.deepEqual({ text, turns, stopReason }, { text: answer, turns: 2, stopReason: 'done' });
  return { ...usage, costUsd: String(costUsd) };
}

async function callForRefusal({ client, model, refusalCode }: CallParts): Promise<Outcome> {
  const messages = [{ role: 'user', content: conversation.refusal.prompt }] as const;
  const error: unknown = await client.chat({ model, maxTokens, messages }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert(LlmError.is(error), 'it was to be refused');
  assert.equal(error.code, refusalCode);
  assert(!error.message.includes(secretWords), "the server's own words reached the caller");
  return { inputTokens: 0, outputTokens: 0, costUsd: '0' };
}
