import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { AttemptRequest } from '../../src/platforms/port.ts';
import { answering, startScriptedServer } from './support/scripted-server.ts';
import { surfaces } from './support/surfaces.ts';
import { attemptOn } from './support/try-platform.ts';

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

/** The same where the platform has no schemas. */
const objectByTool: Options = {
  prompt: object.prompt,
  maxOutputTokens: 128,
  tools: [
    {
      type: 'function',
      name: 'person',
      description: 'A person of the text.',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    },
  ],
  toolChoice: { type: 'tool', toolName: 'person' },
};

const city = { type: 'object', properties: { city: { type: 'string' } } } as const;

const agent: Options = {
  prompt: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Is it warmer here or in Rome?' },
        { type: 'file', mediaType: 'image/jpeg', data: { type: 'data', data: '/9j/4AAQSkY=' } },
      ],
    },
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

/** A request in the words that every surface has. */
function commonOf({ stopSequences: _stop, ...options }: Options): Options {
  return options;
}

const operations: Readonly<Record<string, Options>> = {
  chat,
  object,
  'object-by-tool': objectByTool,
  agent,
};

describe.each(surfaces)('$name', (surface) => {
  it.each(Object.entries(operations))('the wire of one canonical %s request', async (...row) => {
    const [operation, canonical] = row;
    const options = surface.hasStop ? canonical : commonOf(canonical);
    const server = await startScriptedServer(answering(200, JSON.stringify(surface.answer({}))));
    const platform = surface.platformAt(server.url);
    await attemptOn(platform, { options });
    const [request] = server.requests;
    const [requestLine, ...headers] = (request?.head ?? '').split('\r\n');
    const written = {
      requestLine,
      headers: headers.filter((line) => !/^(host|content-length):/.test(line)),
      body: JSON.parse(request?.body ?? ''),
    };
    // As text, since the order of the keys is what a platform's prompt cache may go by.
    expect(JSON.stringify(written, null, 2)).toBe(
      JSON.stringify(await golden(`${operation}.${surface.name}`), null, 2),
    );
    await platform.close();
    await server.close();
  });

  it.each(Object.entries(operations))('one canonical answer to a %s request', async (...row) => {
    const [operation, canonical] = row;
    const answer = JSON.stringify(await golden(`${operation}.${surface.name}.answer`));
    const server = await startScriptedServer(answering(200, answer, { 'x-request-id': 'req_1' }));
    const platform = surface.platformAt(server.url);
    const outcome = await attemptOn(platform, { options: commonOf(canonical) });
    // The platform's own word for the end is all that two wires may differ in.
    expect({ ...outcome, finishRaw: undefined }).toEqual(await golden(`${operation}.outcome`));
    await platform.close();
    await server.close();
  });
});

async function golden(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`golden/${name}.json`, import.meta.url), 'utf8'));
}
