import { describe, expect, test } from 'vitest';
import { asking, at, open } from './open.ts';

const question = 'What is a gateway?';
const version = { 'anthropic-version': '2023-06-01' };
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ name: 'weather', description: 'Asks', input_schema: schema }];

async function answerOf(response: Response) {
  const body: unknown = await response.json();
  return { status: response.status, body, content: at(body, 'content'), usage: at(body, 'usage') };
}

test('a response has the exact shape of the platform', async () => {
  const { message, simulator, projectId } = open();
  const response = await message(asking('sim-echo'));
  expect(response.headers.get('request-id')).toMatch(/^req_[0-9a-v]{52}$/);
  expect(response.headers.get('x-request-id')).toBeNull();
  expect(response.headers.get('anthropic-workspace-id')).toBe(projectId);
  expect(await response.json()).toEqual({
    id: expect.stringMatching(/^msg_/),
    type: 'message',
    role: 'assistant',
    model: 'sim-echo',
    content: [{ type: 'text', text: question }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 25,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 5,
      service_tier: 'standard',
    },
  });
  expect(simulator.bill().calls).toMatchObject([{ projectId, inputTokens: 25, answered: true }]);
});

test('both paths are the same surface', async () => {
  const { simulator } = open();
  for (const path of ['/v1/messages', '/anthropic/v1/messages']) {
    const init = { method: 'POST', headers: version, body: JSON.stringify(asking('sim-echo')) };
    const response = await simulator.fetch(new Request(`http://simulator.test${path}`, init));
    expect(response.status).toBe(200);
  }
});

describe('the workspace', () => {
  test('that does not exist is 404, in the shape of this surface', async () => {
    const { message, simulator } = open();
    const own = { ...version, 'anthropic-workspace-id': 'proj_bogus' };
    const { status, body } = await answerOf(await message(asking('sim-echo'), own));
    expect(status).toBe(404);
    expect(body).toEqual({
      type: 'error',
      error: { type: 'not_found_error', message: expect.stringContaining('project/proj_bogus') },
      request_id: expect.stringMatching(/^req_/),
    });
    expect(simulator.bill()).toMatchObject({ total: { calls: 0 }, missingProjectCalls: 0 });
  });

  test.each([
    ['under the documented name', { 'anthropic-workspace': 'proj_bogus' }],
    ['not at all', {}],
    ['as the OpenAI surfaces do', { 'openai-project': 'proj_bogus' }],
  ])('named %s is billed to default, and reported', async (_, own) => {
    const { message, simulator } = open();
    const response = await message(asking('sim-echo'), { ...version, ...own });
    expect(response.status).toBe(200);
    expect(response.headers.get('anthropic-workspace-id')).toBe('default');
    expect(simulator.bill()).toMatchObject({
      projects: [{ projectId: 'default', calls: 1 }],
      missingProjectCalls: 1,
    });
  });
});

describe('models that reject or fail do so in Anthropic’s format, unbilled', () => {
  test.each([
    ['sim-throttled', 429, 'rate_limit_error'],
    ['sim-throttled-hint', 429, 'rate_limit_error'],
    ['sim-quota', 429, 'insufficient_quota'],
    ['sim-down', 503, 'api_error'],
    ['sim-crash', 500, 'api_error'],
    ['sim-overloaded', 529, 'overloaded_error'],
    ['sim-rejects', 400, 'invalid_request_error'],
    ['sim-denied', 403, 'permission_error'],
    ['sim-unauthorized', 401, 'authentication_error'],
    ['sim-missing', 404, 'not_found_error'],
    ['sim-openai-only', 400, 'invalid_request_error'],
    ['no-such-model', 404, 'not_found_error'],
  ])('%s is %i %s', async (model, expected, type) => {
    const { message, simulator } = open();
    const response = await message(asking(model));
    expect(response.headers.get('retry-after')).toBe(model === 'sim-throttled-hint' ? '2' : null);
    const { status, body } = await answerOf(response);
    expect(status).toBe(expected);
    expect(body).toEqual({
      type: 'error',
      error: { type, message: expect.any(String) },
      request_id: response.headers.get('request-id'),
    });
    expect(simulator.bill().total.calls).toBe(0);
  });

  test.each(['sim-flaky', 'sim-throttled-once'])('%s fails every other time', async (model) => {
    const { message } = open();
    expect((await message(asking(model))).status).toBeGreaterThanOrEqual(429);
    expect((await message(asking(model))).status).toBe(200);
  });

  test('a front end has its own shape, and an id of the same name', async () => {
    const { message } = open();
    const response = await message(asking('sim-gateway-timeout'));
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    expect(await response.json()).toEqual({ message: 'Endpoint request timed out' });
  });
});

describe('successful models', () => {
  test.each([
    ['sim-messages-only', [{ type: 'text', text: question }], 'end_turn'],
    ['sim-stop', [{ type: 'text', text: 'What' }], 'stop_sequence'],
    ['sim-content-filter', [{ type: 'text', text: 'What is ' }], 'refusal'],
    ['sim-empty', [], 'end_turn'],
    ['sim-wrong-tool', [{ type: 'tool_use', name: 'unoffered_tool', input: {} }], 'tool_use'],
  ])('%s returns %j and ends with %s', async (model, content, stopReason) => {
    const { message } = open();
    const { body } = await answerOf(await message(asking(model)));
    expect(body).toMatchObject({ content, stop_reason: stopReason });
  });

  test('sim-truncated is truncated at max_tokens', async () => {
    const { message } = open();
    const answer = await answerOf(await message({ ...asking('sim-truncated'), max_tokens: 30 }));
    expect(answer.body).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 30 } });
  });

  test('a stop sequence is named', async () => {
    const { message } = open();
    const request = { ...asking('sim-echo'), stop_sequences: ['way', 'gate'] };
    const { body } = await answerOf(await message(request));
    expect(body).toMatchObject({
      content: [{ type: 'text', text: 'What is a ' }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'gate',
    });
  });

  test('sim-reasoning has its reasoning before the text', async () => {
    const { message } = open();
    const { content, usage } = await answerOf(await message(asking('sim-reasoning')));
    expect(content).toMatchObject([{ type: 'thinking' }, { type: 'text', text: question }]);
    expect(usage).toMatchObject({
      output_tokens: 64 + 5,
      output_tokens_details: { thinking_tokens: 64 },
    });
  });

  test('sim-cached excludes both cached kinds from the input', async () => {
    const { message, simulator } = open();
    // 16 for the request, 4 for the message, 80 for 320 bytes.
    const { usage } = await answerOf(await message(asking('sim-cached', 'x'.repeat(320))));
    expect(usage).toMatchObject({
      input_tokens: 25,
      cache_read_input_tokens: 50,
      cache_creation_input_tokens: 25,
    });
    expect(simulator.bill().total).toMatchObject({ inputTokens: 100, cachedInputTokens: 50 });
  });

  test.each([
    ['sim-odd-usage', 1.5],
    ['sim-usage-string', '12'],
    ['sim-usage-negative', -12],
    ['sim-usage-huge', 1e300],
    ['sim-no-usage', undefined],
  ])('%s reports %j', async (model, stated) => {
    const { message } = open();
    const { usage } = await answerOf(await message(asking(model)));
    if (stated === undefined) expect(usage).toBeUndefined();
    else expect(usage).toEqual({ input_tokens: stated, output_tokens: stated });
  });

  test.each(['sim-html', 'sim-half-json', 'sim-empty-body'])('%s is not JSON', async (model) => {
    const { message } = open();
    const text = await (await message(asking(model))).text();
    expect(() => JSON.parse(text)).toThrow();
  });
});

describe('tools and schemas', () => {
  test('a tool is called, and its result is repeated', async () => {
    const { message } = open();
    const request = { ...asking('sim-echo'), tools, tool_choice: { type: 'any' } };
    const { body } = await answerOf(await message(request));
    const id = String(at(body, 'content', 0, 'id'));
    const called = { type: 'tool_use', id, name: 'weather', input: { city: 'city' } };
    expect(body).toMatchObject({ content: [called], stop_reason: 'tool_use' });
    const result = { type: 'tool_result', tool_use_id: id, content: 'warm' };
    const messages = [
      ...request.messages,
      { role: 'assistant', content: [called] },
      { role: 'user', content: [result] },
    ];
    const { content } = await answerOf(await message({ ...request, messages, tools }));
    expect(content).toEqual([{ type: 'text', text: 'The tools answered: warm' }]);
  });

  test.each([
    [undefined, 'tool_use'],
    [{ type: 'auto' }, 'tool_use'],
    [{ type: 'tool', name: 'weather', disable_parallel_tool_use: true }, 'tool_use'],
    [{ type: 'none' }, 'end_turn'],
  ])('the choice %j ends with %s', async (choice, stopReason) => {
    const { message } = open();
    const request = { ...asking('sim-echo'), tools, ...(choice && { tool_choice: choice }) };
    const { body } = await answerOf(await message(request));
    expect(at(body, 'stop_reason')).toBe(stopReason);
  });

  test('invalid JSON arguments are reported as plain text', async () => {
    const { message } = open();
    const { content } = await answerOf(await message({ ...asking('sim-bad-json'), tools }));
    expect(content).toMatchObject([{ type: 'tool_use', input: '{"answer": not JSON' }]);
  });

  test('an instruction to write a JSON object is followed', async () => {
    const { message } = open();
    const system = `Answer with one JSON object that fits ${JSON.stringify(schema)}`;
    const { content } = await answerOf(await message({ ...asking('sim-echo'), system }));
    expect(content).toEqual([{ type: 'text', text: '{"city":"city"}' }]);
  });

  test('a schema is filled', async () => {
    const { message } = open();
    const format = { type: 'json_schema', schema };
    const request = { ...asking('sim-echo'), output_config: { format } };
    const { content } = await answerOf(await message(request));
    expect(content).toEqual([{ type: 'text', text: '{"city":"city"}' }]);
  });
});

test('with its beta, messages may include the role system', async () => {
  const { message, projectId } = open();
  const messages = [
    { role: 'user', content: question },
    { role: 'system', content: 'Be brief.' },
  ];
  const betas = { 'anthropic-beta': 'effort-2025-11-24,mid-conversation-tool-changes-2026-07-01' };
  const billed = { ...version, 'anthropic-workspace-id': projectId };
  const context_management = { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] };
  const body = { ...asking('sim-echo'), messages, context_management };
  const { status, content } = await answerOf(await message(body, { ...billed, ...betas }));
  expect({ status, text: at(content, 0, 'text') }).toEqual({ status: 200, text: question });
});
