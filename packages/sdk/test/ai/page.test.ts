import { describe, expect, test } from 'vitest';
import { createFakeClient, type FakeStep } from '../../src/testing.ts';
import { toUIMessageStreamResponse } from '../../src/web.ts';
import { majors } from './majors.ts';

const tools = [{ name: 'weather', inputSchema: { type: 'object' as const } }];
const request = { model: 'm', maxTokens: 9, messages: [{ role: 'user' as const, content: 'Hi' }] };

describe.each(majors)('a page with useChat of $name receives from your server', ({ sdk }) => {
  /** The final state of the page's message, and the page's errors. */
  async function show(step: FakeStep) {
    const client = createFakeClient([step]);
    const fetch = async () => toUIMessageStreamResponse(client.agentStream({ ...request, tools }));
    const transport = new sdk.DefaultChatTransport({ api: 'https://page.test/ask', fetch });
    const stream = await transport.sendMessages({
      ...{ chatId: 'chat', messageId: undefined, trigger: 'submit-message' },
      ...{ messages: [], abortSignal: undefined },
    });
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    let last: { readonly id: string; readonly parts: readonly object[] } | undefined;
    for await (const message of sdk.readUIMessageStream({ stream, onError })) last = message;
    return { message: last, errors };
  }

  test('a message with its text and its tool calls', async () => {
    const toolCalls = [{ name: 'weather', input: { city: 'Ulm' }, id: 'c1' }];
    const { message, errors } = await show({ text: 'Let me look', toolCalls });
    expect(errors).toEqual([]);
    expect(message?.id).toBe('fake-1');
    expect(message?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'Let me look', state: 'done' },
      {
        ...{ type: 'tool-weather', toolCallId: 'c1', state: 'input-available' },
        input: { city: 'Ulm' },
      },
    ]);
  });

  test('the code of an error, and the text before it', async () => {
    const { message, errors } = await show({ error: { code: 'SERVER', afterText: 'Let me' } });
    expect(message?.parts).toMatchObject([{ type: 'step-start' }, { text: 'Let me' }]);
    expect(errors.map((error) => Object(error).message)).toEqual(['SERVER']);
  });
});
