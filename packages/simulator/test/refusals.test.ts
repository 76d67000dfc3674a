import { describe, expect, test } from 'vitest';
import { simulatorModels } from '../src/index.ts';
import { answerOf, asking, at, open } from './open.ts';

const user = { role: 'user', content: 'hello' };
const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } };
const called = { role: 'assistant', content: null, tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'a', content: 'warm' };
const tool = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };
const model = 'sim-echo';
const messages = [user];

describe('a request that the platform rejects is 400 and names the parameter', () => {
  const rows = [
    { body: { messages }, param: 'model' },
    { body: { model: 7, messages }, param: 'model' },
    { body: { model }, param: 'messages' },
    { body: { model, messages: [] }, param: 'messages' },
    { body: { model, messages: 'hello' }, param: 'messages' },
    { body: { model, messages: ['hello'] }, param: 'messages[0]' },
    { body: { model, messages: [{ content: 'hello' }] }, param: 'messages[0].role' },
    { body: { model, messages: [{ role: 'king', content: '' }] }, param: 'messages[0].role' },
    { body: { model, messages: [{ role: 'user' }] }, param: 'messages[0].content' },
    { body: { model, messages: [{ role: 'user', content: 7 }] }, param: 'messages[0].content' },
    { body: { model, messages: [{ role: 'assistant' }] }, param: 'messages[0].content' },
    { body: { model, messages: [user, result] }, param: 'messages[1].tool_call_id' },
    { body: { model, messages: [user, called] }, param: 'messages' },
    { body: { model, messages: [user, called, user] }, param: 'messages[2]' },
    {
      body: { model, messages: [{ role: 'user', content: [{ type: 'audio' }] }] },
      param: 'messages[0].content[0].type',
    },
    {
      body: {
        model,
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'ftp://a.example' } }],
          },
        ],
      },
      param: 'messages[0].content[0].image_url.url',
    },
    { body: { model, messages, max_tokens: '7' }, param: 'max_tokens' },
    { body: { model, messages, max_tokens: 0 }, param: 'max_tokens' },
    { body: { model, messages, max_completion_tokens: 1.5 }, param: 'max_completion_tokens' },
    { body: { model, messages, temperature: 3 }, param: 'temperature' },
    { body: { model, messages, top_p: '1' }, param: 'top_p' },
    { body: { model, messages, stop: 7 }, param: 'stop' },
    { body: { model, messages, stop: [7] }, param: 'stop[0]' },
    { body: { model, messages, n: 2 }, param: 'n' },
    { body: { model, messages, stream: 'yes' }, param: 'stream' },
    { body: { model, messages, stream_options: {} }, param: 'stream_options' },
    { body: { model, messages, userId: 'u' }, param: 'userId' },
    { body: { model, messages, tools: [] }, param: 'tools' },
    { body: { model, messages, tools: [{ type: 'function' }] }, param: 'tools[0].function' },
    {
      body: { model, messages, tools: [{ type: 'function', function: { name: 'a b' } }] },
      param: 'tools[0].function.name',
    },
    { body: { model, messages, tool_choice: 'auto' }, param: 'tool_choice' },
    {
      body: {
        model,
        messages,
        tools: [tool],
        tool_choice: { type: 'function', function: { name: 'clock' } },
      },
      param: 'tool_choice',
    },
    { body: { model, messages, response_format: { type: 'xml' } }, param: 'response_format.type' },
    {
      body: {
        model,
        messages,
        response_format: { type: 'json_schema', json_schema: { name: 'a' } },
      },
      param: 'response_format.json_schema.schema',
    },
  ];
  test.each(rows)('$param in $body', async ({ body, param }) => {
    const { chat, simulator } = open();
    const answer = await answerOf(await chat(body));
    expect(answer.status).toBe(400);
    const error = { code: 'validation_error', type: 'invalid_request_error', param };
    expect(answer.body).toMatchObject({ error });
    expect(simulator.bill().total.calls).toBe(0);
  });

  test.each(['', 'hello', '[]', 'null', '7'])('a body of %j', async (text) => {
    const { simulator } = open();
    const url = 'http://simulator.test/v1/chat/completions';
    const response = await simulator.fetch(new Request(url, { method: 'POST', body: text }));
    expect(response.status).toBe(400);
  });
});

test('null counts as absent, like on the platform', async () => {
  const { chat } = open();
  const body = { model, messages, max_tokens: null, stop: null, tools: null, tool_choice: null };
  expect((await chat(body)).status).toBe(200);
});

test('an unknown model is 404', async () => {
  const answer = await answerOf(await open().chat(asking('gpt-9')));
  expect(answer).toMatchObject({ status: 404, errorCode: 'model_not_found' });
  expect(answer.errorMessage).toContain("The model 'gpt-9' does not exist");
});

test('a model of another surface reports it', async () => {
  const answer = await answerOf(await open().chat(asking('sim-messages-only')));
  expect(answer.body).toEqual({
    error: {
      code: 'validation_error',
      message: "The model 'sim-messages-only' does not support the '/v1/chat/completions' API",
      param: null,
      type: 'invalid_request_error',
    },
  });
});

test('an image for a model without images is rejected', async () => {
  const url = 'data:image/png;base64,aGVsbG8=';
  const content = [{ type: 'image_url', image_url: { url } }];
  const body = (id: string) => ({ model: id, messages: [{ role: 'user', content }] });
  const { chat } = open();
  expect((await chat(body('sim-echo'))).status).toBe(200);
  expect((await chat(body('sim-slow'))).status).toBe(400);
});

test('more input than the context is rejected', async () => {
  const answer = await answerOf(await open().chat(asking('sim-echo', 'x'.repeat(8_000_000))));
  expect(answer).toMatchObject({ status: 400, errorCode: 'context_length_exceeded' });
});

test('models are listed and retrieved', async () => {
  const { send } = open();
  const { body } = await answerOf(await send('GET', '/v1/models'));
  const data = at(body, 'data');
  const ids = Array.isArray(data) ? data.map(({ id }) => id) : [];
  expect(ids).toEqual(simulatorModels.map(({ id }) => id));
  const { body: one } = await answerOf(await send('GET', '/v1/models/sim-echo'));
  expect(one).toEqual(at(data, 0));
  expect(one).toMatchObject({ id: 'sim-echo', object: 'model', status: 'available' });
  expect((await send('GET', '/v1/models/gpt-9')).status).toBe(404);
});

const nowhere = [
  { method: 'GET', path: '/openai/v1/models' },
  { method: 'GET', path: '/v1/chat/completions' },
  { method: 'POST', path: '/v1/models' },
  { method: 'POST', path: '/v1/completions' },
  { method: 'GET', path: '/' },
];
test.each(nowhere)('$method $path is an empty 404', async ({ method, path }) => {
  const response = await open().send(method, path);
  expect(response.status).toBe(404);
  expect(await response.text()).toBe('');
});
