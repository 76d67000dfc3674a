import { describe, expect, test } from 'vitest';
import { jsonOf, openHouse, type Route, type Wire } from '../errors-in-200/house.ts';

const { ask } = openHouse();

const messages = [{ role: 'user', content: 'Say hello.' }];
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const described = { name: 'weather', description: 'The weather.' };
const chatTool = { type: 'function', function: { ...described, parameters } };

/** A request of each API format with the fields that platforms name. */
const bodies: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  '/v1': {
    path: '/v1/agents/run',
    body: {
      ...{ messages, maxTokens: 100, temperature: 0.5, topP: 0.5, stop: ['x'] },
      tools: [{ ...described, inputSchema: parameters }],
    },
  },
  'chat completions': {
    path: '/openai/v1/chat/completions',
    body: {
      ...{ messages, max_completion_tokens: 100, temperature: 0.5, top_p: 0.5, stop: ['x'] },
      ...{ tools: [chatTool], tool_choice: 'auto' },
    },
  },
  responses: {
    path: '/openai/v1/responses',
    body: {
      ...{ input: [{ role: 'user', content: 'Say hello.' }], max_output_tokens: 100 },
      ...{ temperature: 0.5, top_p: 0.5 },
      tools: [{ type: 'function', ...described, parameters, strict: false }],
    },
  },
  messages: {
    path: '/anthropic/v1/messages',
    body: {
      ...{ messages, max_tokens: 100, temperature: 0.5, top_p: 0.5, stop_sequences: ['x'] },
      tools: [{ ...described, input_schema: parameters }],
    },
  },
};

/** The fields of one wire format's error, and their names in each API format. */
const cases: readonly (readonly [format: string, wire: Wire, named: string, field: string])[] = [
  ['/v1', 'chat', 'temperature', 'temperature'],
  ['/v1', 'chat', 'max_completion_tokens', 'maxTokens'],
  ['/v1', 'gpt', 'max_output_tokens', 'maxTokens'],
  ['/v1', 'claude', 'max_tokens', 'maxTokens'],
  ['/v1', 'claude', 'stop_sequences', 'stop'],
  ['/v1', 'chat', 'top_p', 'topP'],
  ['/v1', 'chat', 'tools[0].function.parameters', 'tools[0].inputSchema'],
  ['/v1', 'gpt', 'tools[0].parameters', 'tools[0].inputSchema'],
  ['/v1', 'claude', 'tools.0.custom.input_schema', 'tools[0].inputSchema'],
  ['/v1', 'claude', 'tools.0.custom.name', 'tools[0]'],
  // The conversation has other paths in another wire format.
  ['/v1', 'claude', 'messages.7.content', 'messages'],
  ['chat completions', 'chat', 'max_completion_tokens', 'max_completion_tokens'],
  ['chat completions', 'claude', 'max_tokens', 'max_completion_tokens'],
  ['chat completions', 'chat', 'tools[0].function.parameters', 'tools[0].function.parameters'],
  ['chat completions', 'gpt', 'tools[0].parameters', 'tools[0].function.parameters'],
  ['chat completions', 'gpt', 'input[0].content', 'messages'],
  ['chat completions', 'claude', 'stop_sequences', 'stop'],
  ['responses', 'gpt', 'input[0].content', 'input[0].content'],
  ['responses', 'gpt', 'max_output_tokens', 'max_output_tokens'],
  ['responses', 'gpt', 'tools[0].parameters.properties.city', 'tools[0].parameters'],
  ['messages', 'claude', 'messages.0.content', 'messages[0].content'],
  ['messages', 'claude', 'tools.0.custom.input_schema', 'tools[0].input_schema'],
  ['messages', 'claude', 'stop_sequences', 'stop_sequences'],
];

describe.each([false, true])('streamed: %s', (isStream) => {
  const routeOf = (format: string, wire: Wire): Route => {
    const { path, body } = bodies[format] ?? { path: '', body: {} };
    const isNative = format === '/v1';
    return {
      ...{ wire, isStream, path: isNative && isStream ? '/v1/agents/stream' : path },
      body: (model) => ({
        ...{ model, ...body },
        // Responses cannot express it.
        ...(wire === 'gpt' ? { stop: undefined } : {}),
        ...(isStream && !isNative ? { stream: true } : {}),
      }),
    };
  };

  test.each(cases)('%s on %s: %s is %s', async (format, wire, named, field) => {
    const error = { type: 'invalid_request_error', code: 'unsupported_parameter', param: named };
    const told = await ask(routeOf(format, wire), [jsonOf(400, { error })]);
    const { message, param } = JSON.parse(told.text).error;
    const isSchema = named.includes('input_schema');
    expect(told.headers.get('x-error-reason')).toBe(isSchema ? 'schema' : 'parameter');
    expect(message).toBe(
      `The model ${wire} rejected the request: it does not support ${isSchema ? `the JSON Schema in ${field}; use simpler keywords, or another model.` : `${field} as sent; change or remove it.`}`,
    );
    if (routeOf(format, wire).path.startsWith('/openai')) expect(param).toBe(field);
  });

  test.each(cases)('%s on %s: %s in a sentence is %s', async (format, wire, named, field) => {
    const error = { message: `Unsupported value: '${named}' does not fit account 4711.` };
    const told = await ask(routeOf(format, wire), [jsonOf(400, { error })]);
    expect(JSON.parse(told.text).error.message).toMatch(/ (support|in) /);
    expect(JSON.parse(told.text).error.message.split(/[ ;]/)).toContain(field);
    expect(told.text).not.toContain('4711');
  });

  test.each([
    ['/v1', 'chat'],
    ['chat completions', 'chat'],
    ['responses', 'gpt'],
    ['messages', 'claude'],
  ] as const)('%s: a field that the caller did not send is not named', async (format, wire) => {
    const named = 'account_4711';
    const error = { code: 'unknown_parameter', message: `Unknown '${named}'`, param: named };
    const told = await ask(routeOf(format, wire), [jsonOf(400, { error })]);
    expect(told.text).not.toContain('4711');
    const { message, param } = JSON.parse(told.text).error;
    expect(message).toContain('a field that the gateway adds');
    if (routeOf(format, wire).path.startsWith('/openai')) expect(param).toBe('model');
  });

  test('/v1: a field that the wire format lacks is named, and nothing is sent', async () => {
    const route = routeOf('/v1', 'gpt');
    const body = { ...route.body('gpt'), stop: ['x'] };
    const told = await ask({ ...route, body: () => body }, []);
    expect(JSON.parse(told.text).error.message).toContain('does not support stop as sent');
    expect(told.record).toMatchObject({ code: 'BAD_REQUEST', cost: 0n });
  });

  test('a schema of a tool has OpenAI’s code for it', async () => {
    const param = 'tools[0].function.parameters';
    const error = { code: 'invalid_function_parameters', message: 'no', param };
    const reply = jsonOf(400, { error });
    const told = await ask(routeOf('chat completions', 'chat'), [reply]);
    expect(JSON.parse(told.text).error).toEqual({
      message: `The model chat rejected the request: it does not support the JSON Schema in ${param}; use simpler keywords, or another model.`,
      ...{ type: 'invalid_request_error', param, code: 'invalid_function_parameters' },
    });
  });
});
