import { describe, expect, test } from 'vitest';
import { simulatorModels } from '../src/index.ts';
import { asking, at, type CallOptions, open } from './open.ts';

const path = '/v1/responses';
const text = 'What is a gateway?';
const model = 'sim-echo';
const requestOf = (id: string, more: object = {}) => ({
  model: id,
  input: text,
  store: false,
  ...more,
});
const weather = {
  type: 'function',
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
} as const;
const call = { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'a', output: '18 degrees' };

/** A simulator, and the parts of a response that tests read. */
function openResponses() {
  const { chat, simulator, clock } = open();
  return { chat, simulator, clock, respond };

  async function respond(body: Readonly<Record<string, unknown>>, options: CallOptions = {}) {
    const response = await chat(body, { path, ...options });
    const answer: unknown = await response.json();
    const { status } = response;
    return { status, body: answer, item: (index: number) => at(answer, 'output', index) };
  }
}

const messageOf = (said: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: said, annotations: [] }],
});

test.each([path, '/openai/v1/responses'])(
  '%s returns a text, and reports its usage',
  async (at) => {
    const { respond, simulator } = openResponses();
    const { status, body } = await respond(requestOf(model), { path: at });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      model,
      output: [messageOf(text)],
      usage: {
        input_tokens: 25,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 30,
      },
    });
    expect(simulator.bill()).toMatchObject({
      total: { calls: 1, inputTokens: 25, outputTokens: 5 },
    });
  },
);

test('messages, images and instructions are read', async () => {
  const { respond, simulator } = openResponses();
  const image = { type: 'input_image', image_url: 'data:image/png;base64,aGVsbG8=' };
  const elsewhere = [
    { type: 'input_image', image_url: 'https://a.example' },
    { type: 'input_file', file_id: 'file-1' },
  ];
  const input = [
    { role: 'system', content: 'One.' },
    { role: 'user', content: 'first' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'answer' }] },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { role: 'user', content: [{ type: 'input_text', text: 'second' }, image, ...elsewhere] },
  ];
  const { item } = await respond({ model, instructions: 'Be brief.', input, store: false });
  expect(item(0)).toMatchObject(messageOf('second'));
  // 16 a request, five messages of 4, their texts, an image, and two referenced files.
  const { inputTokens } = simulator.bill().total;
  expect(inputTokens).toBe(16 + 5 * 4 + 3 + 1 + 2 + 2 + 2 + 1_000 + 2 * 20_000);
});

test('a tool is called, then its output is repeated', async () => {
  const { respond } = openResponses();
  const body = requestOf(model, { tools: [weather] });
  const turn = await respond(body);
  expect(turn.item(0)).toMatchObject({
    type: 'function_call',
    call_id: expect.stringMatching(/^call_/),
    name: 'weather',
    arguments: '{"city":"city"}',
  });
  const user = { role: 'user', content: text };
  const result = { ...output, call_id: at(turn.item(0), 'call_id') };
  const last = await respond({ ...body, input: [user, turn.item(0), result] });
  expect(last.item(0)).toMatchObject(messageOf('The tools answered: 18 degrees'));
});

test('an empty list of tools counts as none', async () => {
  const { respond } = openResponses();
  const { status, item } = await respond(requestOf(model, { tools: [] }));
  expect(status).toBe(200);
  expect(item(0)).toMatchObject(messageOf(text));
});

test('tool_choice decides', async () => {
  const { respond } = openResponses();
  const tools = [weather, { type: 'function', name: 'clock' }];
  const named = { type: 'function', name: 'clock' };
  const chosen = await respond(requestOf(model, { tools, tool_choice: named }));
  expect(chosen.item(0)).toMatchObject({ type: 'function_call', name: 'clock' });
  const none = await respond(requestOf(model, { tools, tool_choice: 'none' }));
  expect(none.item(0)).toMatchObject(messageOf(text));
});

test('a schema is filled; without one, a JSON object contains the text', async () => {
  const { respond } = openResponses();
  const schema = weather.parameters;
  const format = { type: 'json_schema', name: 'weather', strict: true, schema };
  const filled = await respond(requestOf(model, { text: { format } }));
  expect(filled.item(0)).toMatchObject(messageOf('{"city":"city"}'));
  const object = await respond(requestOf(model, { text: { format: { type: 'json_object' } } }));
  expect(object.item(0)).toMatchObject(messageOf(`{"text":"${text}"}`));
});

test('a truncated response is incomplete, and contains the reason', async () => {
  const { respond } = openResponses();
  const cut = await respond(requestOf('sim-truncated', { max_output_tokens: 16 }));
  expect(cut.body).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ status: 'incomplete' }],
    usage: { output_tokens: 16 },
  });
  const filtered = await respond(requestOf('sim-content-filter'));
  expect(filtered.body).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  });
});

test('reasoning is an item before the message, or the whole response', async () => {
  const { respond } = openResponses();
  const { body } = await respond(requestOf('sim-reasoning'));
  expect(body).toMatchObject({
    output: [{ type: 'reasoning', summary: [] }, messageOf(text)],
    usage: { output_tokens: 64 + 5, output_tokens_details: { reasoning_tokens: 64 } },
  });
  const short = await respond(requestOf('sim-reasoning', { max_output_tokens: 50 }));
  expect(at(short.body, 'output')).toHaveLength(1);
  expect(short.body).toMatchObject({ incomplete_details: { reason: 'max_output_tokens' } });
});

test('both cached kinds are reported', async () => {
  const { body } = await openResponses().respond(
    requestOf('sim-cached', { input: 'x'.repeat(320) }),
  );
  const details = { cached_tokens: 50, cache_write_tokens: 25 };
  expect(body).toMatchObject({ usage: { input_tokens: 100, input_tokens_details: details } });
});

test('responses that the platform had to store are reported', async () => {
  const { respond, simulator } = openResponses();
  await respond(requestOf(model));
  expect(simulator.bill().storedCalls).toBe(0);
  await respond({ model, input: text });
  await respond(requestOf(model, { store: true }));
  await respond({ model: 'sim-down', input: text });
  expect(simulator.bill()).toMatchObject({ storedCalls: 3, total: { calls: 3 } });
  await respond({ ...asking(model), store: true }, { path: '/v1/chat/completions' });
  await respond(asking(model), { path: '/v1/chat/completions' });
  expect(simulator.bill().storedCalls).toBe(4);
});

test('a call without a project is billed to the default one, and reported', async () => {
  const { respond, simulator } = openResponses();
  await respond(requestOf(model), { projectId: undefined });
  const projects = [{ projectId: 'default', calls: 1 }];
  expect(simulator.bill()).toMatchObject({ projects, missingProjectCalls: 1 });
});

test('a model of only this surface is rejected on the other, and the reverse', async () => {
  const { respond } = openResponses();
  expect(await respond(requestOf('sim-responses-only'))).toMatchObject({ status: 200 });
  const chat = '/v1/chat/completions';
  const elsewhere = await respond(asking('sim-responses-only'), { path: chat });
  const refusal = (id: string, of: string) => ({
    status: 400,
    body: { error: { message: `The model '${id}' does not support the '${of}' API` } },
  });
  expect(elsewhere).toMatchObject(refusal('sim-responses-only', chat));
  expect(await respond(requestOf('sim-messages-only'))).toMatchObject(
    refusal('sim-messages-only', path),
  );
});

/** Models that a fixed clock cannot show, and models that one surface lacks. */
const apart = /^sim-(slow|timeout|stuck|reset|reset-mid-body|responses-only)$/;
const both = simulatorModels.filter(({ id }) => !apart.test(id));

describe('a model behaves the same on both surfaces', () => {
  test.each(both)('$id', async ({ id }) => {
    const seen = [];
    for (const surface of ['chat', 'responses']) {
      const { chat, simulator } = openResponses();
      const isChat = surface === 'chat';
      const body = isChat ? asking(id) : requestOf(id, { max_output_tokens: 500 });
      const response = await chat(body, isChat ? {} : { path });
      const { total } = simulator.bill();
      const isJson = await response.json().then(
        () => true,
        () => false,
      );
      const headers = ['retry-after', 'location', 'content-type'].map((of) =>
        response.headers.get(of),
      );
      seen.push({ status: response.status, headers, isJson, total });
    }
    expect(seen[1]).toEqual(seen[0]);
  });

  test.each([
    ['sim-reset', 'Error: the simulated connection was reset', 1],
    ['sim-stuck', 'AbortError: This operation was aborted', 0],
    ['sim-slow', 200, 1],
  ])('%s', async (id, end, calls) => {
    const { chat, clock, simulator } = openResponses();
    const leaving = new AbortController();
    const pending = chat(requestOf(id), { path, signal: leaving.signal }).then(
      ({ status }) => status,
      (error: unknown) => String(error),
    );
    await clock.advance(2_000);
    leaving.abort();
    expect(await pending).toBe(end);
    expect(simulator.bill().total.calls).toBe(calls);
  });
});

describe('odd usage is reported, true usage is billed', () => {
  test.each([
    ['sim-no-usage', undefined],
    ['sim-odd-usage', { input_tokens: 1.5, output_tokens: 1.5 }],
    ['sim-usage-string', { input_tokens: '12', output_tokens: '12' }],
    ['sim-usage-negative', { input_tokens: -12, output_tokens: -12 }],
    ['sim-usage-huge', { input_tokens: 1e300, output_tokens: 1e300 }],
  ])('%s', async (id, usage) => {
    const { respond, simulator } = openResponses();
    expect(at((await respond(requestOf(id))).body, 'usage')).toEqual(usage);
    expect(simulator.bill().total.inputTokens).toBe(25);
  });
});

describe('a request that the platform rejects is 400 and names the parameter', () => {
  const user = { role: 'user', content: 'hello' };
  const image = { type: 'input_image', image_url: 'ftp://a.example' };
  const rows: readonly (readonly [param: string, body: Readonly<Record<string, unknown>>])[] = [
    ['model', { input: text }],
    ['input', { model }],
    ['input', { model, input: 7 }],
    ['input', { model, input: [] }],
    ['input[0]', { model, input: ['hello'] }],
    ['input[0].role', { model, input: [{ content: 'hello' }] }],
    ['input[0].role', { model, input: [{ role: 'king', content: '' }] }],
    ['input[0].content', { model, input: [{ role: 'user' }] }],
    ['input[0].type', { model, input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0].content[0].type', { model, input: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['input[0].content[0].image_url', { model, input: [{ role: 'user', content: [image] }] }],
    ['input', { model, input: [user, call] }],
    ['input', { model, input: [user, output] }],
    ['max_output_tokens', requestOf(model, { max_output_tokens: 15 })],
    ['temperature', requestOf(model, { temperature: 3 })],
    ['stop', requestOf(model, { stop: ['END'] })],
    ['max_tokens', requestOf(model, { max_tokens: 500 })],
    ['stream', requestOf(model, { stream: 'yes' })],
    ['background', requestOf(model, { background: true })],
    ['previous_response_id', requestOf(model, { previous_response_id: 'resp_1' })],
    ['tools[0].type', requestOf(model, { tools: [{ type: 'web_search' }] })],
    ['tools[0].name', requestOf(model, { tools: [{ type: 'function' }] })],
    ['tool_choice', requestOf(model, { tool_choice: 'auto' })],
    ['tool_choice.type', requestOf(model, { tools: [weather], tool_choice: { type: 'mcp' } })],
    [
      'tool_choice',
      requestOf(model, { tools: [weather], tool_choice: { type: 'function', name: 'x' } }),
    ],
    ['text.format.type', requestOf(model, { text: { format: { type: 'xml' } } })],
    [
      'text.format.name',
      requestOf(model, { text: { format: { type: 'json_schema', schema: {} } } }),
    ],
    [
      'text.format.schema',
      requestOf(model, { text: { format: { type: 'json_schema', name: 'a' } } }),
    ],
  ];
  test.each(rows)('%s in %j', async (param, body) => {
    const { respond, simulator } = openResponses();
    const answer = await respond(body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param } },
    });
    expect(simulator.bill().total.calls).toBe(0);
  });
});

test('functions of a namespace can be called like any other', async () => {
  const { respond } = openResponses();
  const namespace = { type: 'namespace', name: 'forecasts', description: 'All', tools: [weather] };
  const { status, item } = await respond(
    requestOf(model, { tools: [namespace], client_metadata: { turn: '1' } }),
  );
  expect(status).toBe(200);
  expect(item(0)).toMatchObject({ type: 'function_call', name: 'weather' });
});
