import { expect, test } from 'vitest';
import { send } from '../support/exchange.ts';
import { sharedStack } from '../support/shared-stack.ts';

// The gateway replaces past parts with texts, and wraps broken arguments in objects: both are
// input, which the reservation counts.

let sent: readonly string[] = [];
const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "2"';
const shared = sharedStack({
  yaml: `
company: acme
store: sqlite:./gateway.db
ingress: { openai: true, anthropic: true }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
  - { id: chat, platform: sandbox, upstreamModel: sim-echo, ${prices} }
  - { id: gpt, platform: sandbox, upstreamModel: sim-echo, pathFamily: v1-responses, ${prices} }
  - { id: claude, platform: sandbox, upstreamModel: sim-echo, pathFamily: anthropic-v1-messages, ${prices} }
`,
  script: ({ bodyText }) => {
    sent = [...sent, bodyText];
    return undefined;
  },
});

async function ask(path: string, body: object, settings = {}) {
  const { stack, newApp } = shared();
  const authorization = `Bearer ${await stack.key(await newApp(settings))}`;
  const headers = { authorization, 'content-type': 'application/json' };
  return send(stack, path, { method: 'POST', headers, body: JSON.stringify(body) });
}

const hello = { role: 'user', content: 'Hello' };
const parts = { role: 'user', content: Array.from({ length: 100 }, () => ({})) };
const calls = Array.from({ length: 100 }, (_, index) => {
  return { id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{' } };
});
const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'x' }));
const broken = [hello, { role: 'assistant', tool_calls: calls }, ...results];

const long = 'Thought. '.repeat(500);
const signed = { type: 'thinking', thinking: long, signature: 'c2ln' };
const item = { type: 'reasoning', summary: [], encrypted_content: 'e'.repeat(4_000) };
const reasoned = (own: object) => [hello, { role: 'assistant', content: 'Hi', ...own }, hello];

test.each([
  ['chat', { reasoning_content: long, reasoning_details: [{ text: long }], extra_content: {} }],
  ['claude', { thinking_blocks: Array(20).fill(signed) }],
  ['gpt', { reasoning_items: Array(20).fill(item) }],
])('carried to %s counts by its bytes', async (model, own) => {
  const body = { model, messages: reasoned(own), max_tokens: 16 };
  await expectReserved('/openai/v1/chat/completions', body);
  expect(Buffer.byteLength(sent[0] ?? '')).toBeGreaterThan(4_000);
});

test.each([
  ['/openai/v1/chat/completions', { model: 'chat', messages: [parts, hello], max_tokens: 16 }],
  ['/openai/v1/chat/completions', { model: 'claude', messages: broken, max_tokens: 16 }],
  ['/openai/v1/responses', { model: 'gpt', input: [parts, hello], max_output_tokens: 16 }],
  ['/anthropic/v1/messages', { model: 'claude', messages: [parts, hello], max_tokens: 16 }],
])('%s reserves all bytes that are sent: %j', async (path, body) => {
  await expectReserved(path, body);
});

async function expectReserved(path: string, body: object) {
  sent = [];
  const poor = await ask(path, body, { dailyBudgetPicoUsd: 1n });
  const usd = /could cost \$(\d+\.\d+)/.exec(poor.text)?.[1] ?? '';
  const inputTokens = Math.round(Number(usd) * 1_000_000) - 2 * 16;
  await ask(path, body);
  expect(sent).toHaveLength(1);
  expect(inputTokens).toBeGreaterThanOrEqual(Buffer.byteLength(sent[0] ?? ''));
}
