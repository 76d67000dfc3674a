import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/platforms/model/model-request.ts';
import { answering, startScriptedServer } from './support/scripted-server.ts';
import { surfaces } from './support/surfaces.ts';
import { attemptOn } from './support/try-platform.ts';

const chat: ModelRequest = {
  messages: [
    { role: 'system', content: 'You are brief.' },
    { role: 'user', content: [{ type: 'text', text: 'What is this? “é” 🙂' }] },
    { role: 'assistant', content: 'A greeting.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And this?' },
        { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
      ],
    },
  ],
  maxTokens: 256,
  temperature: 0.5,
  topP: 0.9,
  stop: ['END', '\n\n'],
};

const object: ModelRequest = {
  messages: [{ role: 'user', content: 'Ada was 36.' }],
  maxTokens: 128,
  json: {
    name: 'person',
    description: 'A person of the text.',
    schema: {
      type: 'object',
      properties: { name: { type: 'string' }, age: { type: 'integer' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
};

/** The same if the platform has no schemas. */
const objectByTool: ModelRequest = {
  messages: object.messages,
  maxTokens: 128,
  tools: [
    {
      name: 'person',
      description: 'A person of the text.',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    },
  ],
  toolChoice: { name: 'person' },
};

const city = { type: 'object', properties: { city: { type: 'string' } } } as const;

const agent: ModelRequest = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Is it warmer here or in Rome?' },
        { type: 'image', mediaType: 'image/jpeg', data: '/9j/4AAQSkY=' },
      ],
    },
    {
      role: 'assistant',
      content: 'I shall look.',
      toolCalls: [
        { id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
        { id: 'call_2', name: 'weather', input: { city: 'Rome' } },
      ],
    },
    { role: 'tool', toolCallId: 'call_1', content: '4 °C' },
    { role: 'tool', toolCallId: 'call_2', content: '17 °C' },
  ],
  maxTokens: 512,
  tools: [
    { name: 'weather', description: 'The weather of a city.', inputSchema: city },
    { name: 'done', inputSchema: { type: 'object' } },
  ],
  toolChoice: { name: 'weather' },
};

/** A request with the fields that every wire format has. */
function commonOf({ stop: _stop, ...request }: ModelRequest): ModelRequest {
  return request;
}

const operations: Readonly<Record<string, ModelRequest>> = {
  chat,
  object,
  'object-by-tool': objectByTool,
  agent,
};

describe.each(surfaces)('$name', (surface) => {
  it.each(Object.entries(operations))(
    'the wire format of one canonical %s request',
    async (...row) => {
      const [operation, canonical] = row;
      const asked = surface.hasStop ? canonical : commonOf(canonical);
      const server = await startScriptedServer(answering(200, JSON.stringify(surface.answer({}))));
      const platform = surface.platformAt(server.url);
      await attemptOn(platform, { request: asked });
      const [request] = server.requests;
      const [requestLine, ...headers] = (request?.head ?? '').split('\r\n');
      const written = {
        requestLine,
        headers: headers.filter((line) => !/^(host|content-length):/.test(line)),
        body: JSON.parse(request?.body ?? ''),
      };
      // As text, since a platform's prompt cache may depend on the order of the keys.
      expect(JSON.stringify(written, null, 2)).toBe(
        JSON.stringify(await golden(`${operation}.${surface.name}`), null, 2),
      );
      await platform.close();
      await server.close();
    },
  );

  it.each(Object.entries(operations))('one canonical response to a %s request', async (...row) => {
    const [operation, canonical] = row;
    const answer = JSON.stringify(await golden(`${operation}.${surface.name}.answer`));
    const server = await startScriptedServer(answering(200, answer, { 'x-request-id': 'req_1' }));
    const platform = surface.platformAt(server.url);
    const outcome = await attemptOn(platform, { request: commonOf(canonical) });
    // Two wire formats may differ only in the platform's own finish word.
    expect({ ...outcome, finishRaw: undefined }).toEqual(await golden(`${operation}.outcome`));
    await platform.close();
    await server.close();
  });
});

async function golden(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`golden/${name}.json`, import.meta.url), 'utf8'));
}
