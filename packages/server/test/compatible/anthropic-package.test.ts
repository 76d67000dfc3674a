import Anthropic from '@anthropic-ai/sdk';
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

async function open(app = 'team'): Promise<Anthropic> {
  return new Anthropic({ baseURL: `${server.url}/anthropic`, apiKey: await server.key(app) });
}

const { echo, slow } = models.messages;
const content = 'Some words that come one by one';
const asked = {
  ...{ model: echo, max_tokens: 500, messages: [{ role: 'user' as const, content }] },
};
const input_schema = { type: 'object' as const, properties: { city: { type: 'string' } } };

test.each(['', '/v1', '/anthropic/v1'])(
  'the base URL %s is answered with the correct one',
  async (path) => {
    const authToken = await server.key('team');
    for (const own of [{ authToken }, { apiKey: authToken }]) {
      const { messages } = new Anthropic({ baseURL: `${server.url}${path}`, ...own });
      const error = await messages.create(asked).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Anthropic.NotFoundError);
      expect(error).toMatchObject({
        message: expect.stringContaining('the base URL of the Anthropic client ends in /anthropic'),
      });
    }
  },
);

test('a message, whole and streamed', async () => {
  const { messages } = await open();
  const whole = await messages.create(asked);
  expect(whole.content).toMatchObject([{ type: 'text', text: content }]);
  const streamed = await messages.stream(asked).finalMessage();
  expect(streamed.content).toMatchObject([{ type: 'text', text: content }]);
  expect(streamed.usage).toMatchObject({
    input_tokens: whole.usage.input_tokens,
    output_tokens: whole.usage.output_tokens,
  });
});

test('a tool, whose result it gets', async () => {
  const { messages } = await open();
  const request = { ...asked, tools: [{ name: 'weather', input_schema }] };
  const first = await messages.create(request);
  const call = first.content.find(({ type }) => type === 'tool_use');
  if (call?.type !== 'tool_use') throw new Error('no tool was called');
  const result = { type: 'tool_result', tool_use_id: call.id, content: '21 degrees' } as const;
  const last = await messages.create({
    ...request,
    messages: [
      ...asked.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [result] },
    ],
  });
  expect(JSON.stringify(last.content)).toContain('21 degrees');
});

test('its tokens are counted first, at no cost', async () => {
  const { messages } = await open();
  const billed = server.simulator.bill().total;
  const { input_tokens } = await messages.countTokens({ model: echo, messages: asked.messages });
  expect(input_tokens).toBeGreaterThan(0);
  expect(server.simulator.bill().total).toEqual(billed);
});

test('a spent budget is rejected, without a retry', async () => {
  const { messages } = await open('spent');
  const before = requests;
  const error: unknown = await messages.create(asked).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Anthropic.APIError);
  expect(error).toMatchObject({ status: 402 });
  expect(requests - before).toBe(1);
});

test('a stream that it leaves in the text is paid', async () => {
  const { messages } = await open();
  const stream = messages.stream({ ...asked, model: slow });
  stream.on('text', () => stream.abort());
  await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
  expect(await checkBooks(server)).toMatch(/audit clean$/);
});
