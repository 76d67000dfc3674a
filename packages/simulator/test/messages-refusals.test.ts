import { expect, test } from 'vitest';
import { asking, at, open } from './open.ts';

const user = { role: 'user', content: 'hello' };
const use = { type: 'tool_use', id: 'a', name: 'weather', input: {} };
const result = { type: 'tool_result', tool_use_id: 'a', content: 'warm' };
const tool = { name: 'weather', input_schema: { type: 'object' } };
const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };

test.each([
  ['no max_tokens', { max_tokens: undefined }, 'max_tokens'],
  ['an unknown parameter', { max_completion_tokens: 5 }, 'max_completion_tokens'],
  ['a temperature above 1', { temperature: 1.5 }, 'temperature'],
  ['a stream that is no boolean', { stream: 'yes' }, 'stream'],
  ['no message', { messages: [] }, 'messages'],
  ['an empty message', { messages: [{ role: 'user', content: '' }] }, 'messages.0.content'],
  [
    'an empty text',
    { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
    'non-empty',
  ],
  [
    'a system message among the others',
    { messages: [user, { role: 'system', content: 'x' }] },
    'role',
  ],
  [
    'a use without a result',
    { messages: [user, { role: 'assistant', content: [use] }] },
    'tool_result',
  ],
  [
    'a use whose result comes late',
    { messages: [user, { role: 'assistant', content: [use] }, user] },
    'tool_result',
  ],
  ['a result of nothing', { messages: [{ role: 'user', content: [result] }] }, 'tool_use_id'],
  [
    'an id that is none',
    { messages: [user, { role: 'assistant', content: [{ ...use, id: 'a b' }] }] },
    'should match pattern',
  ],
  [
    'an input that is no object',
    { messages: [user, { role: 'assistant', content: [{ ...use, input: [1] }] }] },
    'input',
  ],
  [
    'an image of no source',
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'disk' } }] }] },
    'source.type',
  ],
  [
    'an image of another type',
    {
      messages: [
        { role: 'user', content: [{ type: 'image', source: { ...png, media_type: 'image/bmp' } }] },
      ],
    },
    'media_type',
  ],
  ['a tool without a schema', { tools: [{ name: 'weather' }] }, 'input_schema'],
  ['two tools of one name', { tools: [tool, tool] }, 'unique'],
  ['a choice without tools', { tool_choice: { type: 'any' } }, 'tool_choice'],
  ['a choice of no tool', { tools: [tool], tool_choice: { type: 'tool', name: 'x' } }, 'not found'],
  [
    'a format of another type',
    { output_config: { format: { type: 'json_object' } } },
    'format.type',
  ],
  ['a blank stop sequence', { stop_sequences: [' '] }, 'stop_sequences'],
])('%s is 400', async (_, parts, expectedMessage) => {
  const { message, simulator } = open();
  const response = await message({ ...asking('sim-echo'), ...parts });
  const body: unknown = await response.json();
  expect(response.status).toBe(400);
  expect(at(body, 'error', 'type')).toBe('invalid_request_error');
  expect(at(body, 'error', 'message')).toContain(expectedMessage);
  expect(simulator.bill().total.calls).toBe(0);
});

test('a request without a version is 400', async () => {
  const { message, simulator } = open();
  const response = await message(asking('sim-echo'), { 'anthropic-workspace-id': 'default' });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('anthropic-version: header is required');
  expect(simulator.bill().missingProjectCalls).toBe(0);
});

test('a model of only the other surfaces, and the reverse', async () => {
  const { message, chat } = open();
  const here = await message(asking('sim-openai-only'));
  expect(await here.text()).toContain("does not support the '/v1/messages' API");
  expect((await chat(asking('sim-openai-only'))).status).toBe(200);
  expect((await chat(asking('sim-messages-only'))).status).toBe(400);
});

test.each([
  ['texts', [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }], 16 + 4 + 2],
  [
    'an image at 1,000',
    [{ role: 'user', content: [{ type: 'image', source: { ...png, data: 'A'.repeat(4_000) } }] }],
    16 + 4 + 1_000,
  ],
  [
    'a document and an image elsewhere at 20,000 each',
    [
      {
        role: 'user',
        content: [
          { type: 'document', source: { ...png, media_type: 'application/pdf' } },
          { type: 'image', source: { type: 'url', url: 'https://a.example' } },
        ],
      },
    ],
    16 + 4 + 40_000,
  ],
  [
    'a use, its result and a word after it, as on the other surfaces',
    [
      user,
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result, { type: 'text', text: 'so?' }] },
    ],
    16 + (4 + 2) + (4 + 4 + 2 + 1) + (4 + 1) + (4 + 1),
  ],
])('%s are counted', async (_, messages, tokens) => {
  const { message } = open();
  const response = await message({ model: 'sim-echo', max_tokens: 50, messages });
  expect(at(await response.json(), 'usage', 'input_tokens')).toBe(tokens);
});
