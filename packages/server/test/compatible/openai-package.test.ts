import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../support/server.ts';
import { checkBooks } from './support/check-books.ts';
import { models, startService } from './support/client-house.ts';

// The vendor's own package, with its own retries: its requests and reads are not ours.
let server: TestServer;
let requests = 0;
beforeAll(async () => {
  server = await startService();
  server.listener.on('request', () => (requests += 1));
});
afterAll(() => server.close());

async function open(app = 'team'): Promise<OpenAI> {
  return new OpenAI({ baseURL: `${server.url}/openai/v1`, apiKey: await server.key(app) });
}

const { echo, slow } = models.chat;
const messages = [{ role: 'user', content: 'Hello there' }] as const;
const asked = { model: echo, messages: [...messages] };
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

test.each(['/v1', '', '/openai', '/openai/v1/v1'])(
  'the base URL %s is answered with the correct one',
  async (path) => {
    const apiKey = await server.key('team');
    const { chat, models } = new OpenAI({ baseURL: `${server.url}${path}`, apiKey });
    const error = await chat.completions.create(asked).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({
      message: expect.stringContaining('the base URL of the OpenAI client ends in /openai/v1'),
    });
    // Its bearer token is also a key under /v1.
    if (path === '/v1') expect(await models.list()).toHaveProperty('body.models');
  },
);

test('a completion, whole and streamed with its counts', async () => {
  const { chat } = await open();
  const { choices, usage } = await chat.completions.create(asked);
  expect(choices[0]?.message.content).toBe('Hello there');
  const stream_options = { include_usage: true };
  const stream = chat.completions.stream({ ...asked, stream: true, stream_options });
  const whole = await stream.finalChatCompletion();
  expect(whole.choices[0]?.message.content).toBe('Hello there');
  expect(whole.usage).toMatchObject({ total_tokens: usage?.total_tokens });
});

test('a tool, whose result it gets, and a response with a schema', async () => {
  const { chat } = await open();
  const tools = [{ type: 'function', function: { name: 'weather', parameters } }] as const;
  const request = { ...asked, tools: [...tools] };
  const [choice] = (await chat.completions.create(request)).choices;
  const [call] = choice?.message.tool_calls ?? [];
  if (choice === undefined || call?.type !== 'function') throw new Error('no tool was called');
  expect(call.function.name).toBe('weather');
  const told = { role: 'tool', tool_call_id: call.id, content: '21 degrees' } as const;
  const last = await chat.completions.create({
    ...{ ...request, messages: [...messages, choice.message, told] },
  });
  expect(last.choices[0]?.message.content).toContain('21 degrees');

  const json_schema = { name: 'place', schema: parameters, strict: true };
  const response_format = { type: 'json_schema', json_schema } as const;
  const place = await chat.completions.parse({ ...asked, response_format });
  expect(place.choices[0]?.message.parsed).toEqual({ city: expect.any(String) });
});

test('embeddings, which it requests in base64 and reads as numbers', async () => {
  const { embeddings } = await open();
  const { data } = await embeddings.create({ model: models.chat.embed, input: ['one', 'two'] });
  expect(data.map(({ embedding }) => embedding.every(Number.isFinite))).toEqual([true, true]);
  expect(data[0]?.embedding.length).toBeGreaterThan(8);
});

test('a response, whole and streamed', async () => {
  const { responses } = await open();
  const request = { model: models.responses.echo, input: 'Hello there' };
  expect((await responses.create(request)).output_text).toBe('Hello there');
  const stream = responses.stream(request);
  expect((await stream.finalResponse()).output_text).toBe('Hello there');
});

test('a spent budget is 402, without a retry', async () => {
  const { chat } = await open('spent');
  const before = requests;
  const error: unknown = await chat.completions.create(asked).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.APIError);
  expect(error).toMatchObject({ status: 402, code: 'insufficient_quota' });
  expect(requests - before).toBe(1);
});

test('a stream that it leaves in the text is paid', async () => {
  const { chat } = await open();
  const content = 'Some words that come one by one';
  const stream = await chat.completions.create({
    ...{ model: slow, messages: [{ role: 'user', content }], stream: true },
  });
  for await (const { choices } of stream) {
    if (choices[0]?.delta.content) stream.controller.abort();
  }
  expect(await checkBooks(server)).toMatch(/audit clean$/);
});
