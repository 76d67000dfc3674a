import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf, at, open } from './open.ts';

const picture = {
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${'A'.repeat(4000)}` },
};
const parameters = { type: 'object' };
const tool = { type: 'function', function: { name: 'weather', description: 'Asks', parameters } };
const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{"a":1}' } };
const user = { role: 'user', content: 'hello' };

// By hand: 16 a request, 4 a message, ceil(bytes / 4) a text.
const rows = [
  { what: 'one short message', body: { messages: [user] }, input: 16 + 4 + 2, output: 2 },
  {
    what: 'an empty message',
    body: { messages: [{ role: 'user', content: '' }] },
    input: 16 + 4,
    output: 0,
  },
  {
    what: 'bytes, not characters',
    body: { messages: [{ role: 'user', content: '€€€' }] },
    input: 16 + 4 + 3,
    output: 3,
  },
  {
    what: 'each part rounded up by itself',
    body: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    },
    input: 16 + 4 + 1 + 1,
    output: 1,
  },
  {
    what: 'an image at 1,000',
    body: { messages: [{ role: 'user', content: [picture] }] },
    input: 16 + 4 + 1000,
    output: 0,
  },
  {
    what: 'a schema: 8 and its JSON of 17 bytes',
    body: {
      messages: [user],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'any', schema: { type: 'object' } },
      },
    },
    input: 16 + 4 + 2 + 8 + 5,
    output: 1,
  },
  {
    what: 'a tool: 8, name, description, schema; its call: 4, name, arguments',
    body: { messages: [user], tools: [tool] },
    input: 16 + 4 + 2 + 8 + 2 + 1 + 5,
    output: 4 + 2 + 1,
  },
  {
    what: 'a tool call in the history, and its result',
    body: {
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: 'warm' },
      ],
    },
    input: 16 + (4 + 2) + (4 + 4 + 2 + 2) + (4 + 1),
    output: 6,
  },
] as const;

test.each(rows)('$what: $input in, $output out', async ({ body, input, output }) => {
  const { chat, simulator } = open();
  const { usage, status } = await answerOf(await chat({ model: 'sim-echo', ...body }));
  expect(status).toBe(200);
  expect(usage).toEqual({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  });
  expect(simulator.bill().total).toMatchObject({ inputTokens: input, outputTokens: output });
});

test('input never exceeds the bytes of the body and 1,024', async () => {
  const { chat } = open();
  const tiny = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
  const body = { model: 'sim-echo', messages: [{ role: 'user', content: Array(50).fill(tiny) }] };
  const { usage } = await answerOf(await chat(body));
  expect(at(usage, 'prompt_tokens')).toBe(Buffer.byteLength(JSON.stringify(body)) + 1_024);
});

test('for any request, the limit on input holds and output stays below its maximum', async () => {
  const text = fc.string({ unit: 'binary' });
  const schema = fc.object({ maxDepth: 3 });
  const requests = fc.record({
    texts: fc.array(text, { minLength: 1, maxLength: 20 }),
    schemas: fc.array(schema, { maxLength: 5 }),
    maxTokens: fc.integer({ min: 1, max: 200 }),
  });
  const { chat } = open();
  await fc.assert(
    fc.asyncProperty(requests, async ({ texts, schemas, maxTokens }) => {
      const tools = schemas.map((parameters, index) => ({
        type: 'function',
        function: { name: `tool_${index}`, parameters },
      }));
      const messages = texts.map((content) => ({ role: 'user', content }));
      const body = { model: 'sim-echo', messages, max_tokens: maxTokens };
      const sent = tools.length > 0 ? { ...body, tools } : body;
      const { usage, status } = await answerOf(await chat(sent));
      expect(status).toBe(200);
      const bytes = Buffer.byteLength(JSON.stringify(sent));
      expect(at(usage, 'prompt_tokens')).toBeLessThanOrEqual(bytes + 1_024);
      expect(at(usage, 'completion_tokens')).toBeLessThanOrEqual(maxTokens);
    }),
    { numRuns: 300 },
  );
});
