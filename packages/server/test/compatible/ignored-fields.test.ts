import { afterEach, describe, expect, it } from 'vitest';
import { openRelayStack, type RelayStack } from './support/relay-stack.ts';

let stack: RelayStack | undefined;
afterEach(async () => {
  await stack?.close();
  stack = undefined;
});

const chats = '/openai/v1/chat/completions';
const responses = '/openai/v1/responses';
const messages = '/anthropic/v1/messages';
const hello = [{ role: 'user', content: 'Hello' }];
const bodies: Readonly<Record<string, object>> = {
  [chats]: { model: 'sim-echo', messages: hello },
  [responses]: { model: 'gpt', input: 'Hello' },
  [messages]: { model: 'claude', max_tokens: 50, messages: hello },
};

async function ask(path: string, more: object, headers = {}) {
  stack ??= await openRelayStack({ unknownFields: 'ignore' });
  return stack.ask(path, { ...bodies[path], ...more }, headers);
}

describe.each(Object.keys(bodies))('%s, where unknown fields are ignored', (path) => {
  it.each([false, true])('names the omitted fields; streamed: %s', async (stream) => {
    const response = await ask(path, { top_q: 5, 'wild, \u00fc': { deep: 1 }, stream });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-dropped-fields')).toBe('top_q, wild%2C%20%C3%BC');
    await response.text();
    expect(await stack?.audit()).toMatchObject({ clean: true });
  });

  it.each<[string, object]>([
    ['n', { n: 2 }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['guided_json', { guided_json: {} }],
    ['num_predict', { num_predict: 9 }],
    ['tools[0].type', { tools: [{ type: 'robot' }] }],
  ])('rejects %s, which changes the output or its cost', async (field, more) => {
    const response = await ask(path, more);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(field);
    expect(stack?.simulator.bill().total.calls).toBe(0);
  });
});

it('omits unknown flags, names them, and passes known ones', async () => {
  stack = await openRelayStack();
  const headers = { 'anthropic-beta': 'advisor-tool-2026-03-01, pdfs-2024-09-25,wild' };
  const response = await ask(messages, {}, headers);
  expect(response.status).toBe(200);
  expect(response.headers.get('x-dropped-fields')).toBe(
    'anthropic-beta.advisor-tool-2026-03-01, anthropic-beta.wild',
  );
});
