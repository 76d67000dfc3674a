import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { AttemptRequest } from '../../src/platforms/port.ts';
import { chatCompletion } from './support/chat-completion.ts';
import { answering, startScriptedServer } from './support/scripted-server.ts';
import { attemptOn, openAiCompatibleAt } from './support/try-platform.ts';

type Options = AttemptRequest['options'];

const chat: Options = {
  prompt: [
    { role: 'system', content: 'You are brief.' },
    { role: 'user', content: [{ type: 'text', text: 'What is this? “é” 🙂' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'A greeting.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And this?' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
      ],
    },
  ],
  maxOutputTokens: 256,
  temperature: 0.5,
  topP: 0.9,
  stopSequences: ['END', '\n\n'],
};

const schema: Options['responseFormat'] = {
  type: 'json',
  name: 'person',
  description: 'A person of the text.',
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name'],
    additionalProperties: false,
  },
};

const object: Options = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Ada was 36.' }] }],
  maxOutputTokens: 128,
  responseFormat: schema,
};

const city = { type: 'object', properties: { city: { type: 'string' } } } as const;

const agent: Options = {
  prompt: [
    { role: 'user', content: [{ type: 'text', text: 'Is it warmer in Oslo or in Rome?' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I shall look.' },
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: { city: 'Oslo' } },
        { type: 'tool-call', toolCallId: 'call_2', toolName: 'weather', input: { city: 'Rome' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_1',
          toolName: 'weather',
          output: { type: 'text', value: '4 °C' },
        },
        {
          type: 'tool-result',
          toolCallId: 'call_2',
          toolName: 'weather',
          output: { type: 'text', value: '17 °C' },
        },
      ],
    },
  ],
  maxOutputTokens: 512,
  tools: [
    { type: 'function', name: 'weather', description: 'The weather of a city.', inputSchema: city },
    { type: 'function', name: 'done', inputSchema: { type: 'object' } },
  ],
  toolChoice: { type: 'tool', toolName: 'weather' },
};

it.each([
  ['chat', chat],
  ['object', object],
  ['agent', agent],
])('the wire of one canonical %s request', async (name, options) => {
  const server = await startScriptedServer(answering(200, JSON.stringify(chatCompletion({}))));
  const platform = openAiCompatibleAt(server.url);
  await attemptOn(platform, { options });
  const [request] = server.requests;
  const [requestLine, ...headers] = (request?.head ?? '').split('\r\n');
  const written = {
    requestLine,
    headers: headers.filter((line) => !/^(host|content-length):/.test(line)),
    body: JSON.parse(request?.body ?? ''),
  };
  const golden: unknown = JSON.parse(await readFile(goldenOf(name), 'utf8'));
  // As text, since the order of the keys is what a platform's prompt cache may go by.
  expect(JSON.stringify(written, null, 2)).toBe(JSON.stringify(golden, null, 2));
  await platform.close();
  await server.close();
});

function goldenOf(name: string): URL {
  return new URL(`golden/${name}.openai-chat.json`, import.meta.url);
}
