import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createFakeClient } from '../../src/testing.ts';
import { majors } from './majors.ts';

// Output other than text and calls returns with its message, without the caller's help.

const carry = {
  ...{ wire: 'openai-chat', family: 'deepseek' },
  ...{ message: { reasoning_content: 'The user wants weather.' }, calls: [] },
};
const shared = {
  ...{ id: 'call_1', model: 'my-model', requestId: null, cost: { usd: '0', estimated: false } },
  usage: {
    ...{ inputTokens: 1, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
    ...{ outputTokens: 1, reasoningTokens: 0 },
  },
};
const toolCalls = [{ id: 'c1', name: 'weather', input: { city: 'Ulm' } }];
const turn = {
  ...{ ...shared, done: false, toolCalls },
  message: { role: 'assistant', toolCalls, carry },
};
const last = {
  ...{ ...shared, done: true, text: 'Rain.', toolCalls: [] },
  message: { role: 'assistant', content: 'Rain.' },
};

describe.each(majors)('$name', ({ sdk, model }) => {
  const tools = {
    weather: sdk.tool({
      ...{ description: 'The weather', inputSchema: z.object({ city: z.string() }) },
      execute: async () => 'Rain',
    }),
  };
  const agent = (client: ReturnType<typeof createFakeClient>) => ({
    ...{ model: model(client), tools, prompt: 'Weather?' },
    stopWhen: sdk.stepCountIs(3),
  });

  test.each(['generateText', 'streamText'])('%s sends the carry of a turn back', async (name) => {
    const client = createFakeClient([{ body: turn }, { body: last }]);
    const answer =
      name === 'generateText'
        ? await sdk.generateText(agent(client))
        : sdk.streamText(agent(client));
    if ('consumeStream' in answer) await answer.consumeStream();
    expect(await answer.text).toBe('Rain.');
    expect(client.calls[1]?.request.messages).toEqual([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: '', toolCalls, carry },
      { role: 'tool', toolCallId: 'c1', content: 'Rain' },
    ]);
  });

  test.each(['generateText', 'streamText'])('%s sends the carry of a chat back', async (name) => {
    const body = { ...shared, text: 'Hello.', finishReason: 'stop', carry };
    const client = createFakeClient([{ body }, { text: 'Bye.' }]);
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const first = { model: model(client), messages };
    const answer = name === 'generateText' ? await sdk.generateText(first) : sdk.streamText(first);
    expect(await answer.text).toBe('Hello.');
    const { messages: responseMessages } = await answer.response;
    const all = [...messages, ...responseMessages, { role: 'user' as const, content: 'Go on' }];
    await sdk.generateText({ model: model(client), messages: all });
    expect(client.calls[1]?.request.messages).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello.', carry },
      { role: 'user', content: 'Go on' },
    ]);
  });

  test('reasoning of another provider is left out', async () => {
    const client = createFakeClient([{ text: 'Hello' }]);
    const providerOptions = { anthropic: { signature: 'c2ln' } };
    const content = [
      { type: 'reasoning' as const, text: 'Well.', providerOptions },
      { type: 'text' as const, text: 'Hello.' },
    ];
    const messages = [
      { role: 'user' as const, content: 'Hello' },
      { role: 'assistant' as const, content },
      { role: 'user' as const, content: 'Go on' },
    ];
    await sdk.generateText({ model: model(client), messages });
    expect(client.calls[0]?.request.messages).toContainEqual({
      role: 'assistant',
      content: 'Hello.',
    });
  });
});
