import { bodyLimits } from '@model-gateway/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { briefBytesMax } from '../../src/lib/json-size.ts';
import { openStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await openStack({
    yaml: `
company: acme
store: sqlite:./gateway.db
streaming: true
ingress: { openai: true, anthropic: true }
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 100000, burst: 100000 } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
  - { id: claude, platform: sandbox, upstreamModel: sim-told, pathFamily: anthropic-v1-messages, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: gpt, platform: sandbox, upstreamModel: sim-told, pathFamily: v1-responses, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: sim-echo, platform: sandbox, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
`,
  });
});
afterAll(() => stack.close());
afterEach(() => vi.restoreAllMocks());

const most = bodyLimits.jsonNumberCharactersMax;
const says = 'a number of more than 400 characters; use fewer digits';

const user = { role: 'user', content: 'Hello' };
const chat = { model: 'sim-echo', maxTokens: 5, messages: [user] };
const schema = { type: 'object', properties: { a: { const: '#' } } };
const object = { ...chat, schema };
const agent = { ...chat, tools: [{ name: 'f', description: 'It does.', inputSchema: schema }] };
const completion = { model: 'sim-echo', messages: [user] };
const input = '{"a":["1e5",#]}';
const called = { id: 'c', type: 'function', function: { name: 'f', arguments: input } };
const toolCalls = { role: 'assistant', tool_calls: [called] };
const toolResult = { role: 'tool', tool_call_id: 'c', content: 'done' };
const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: input };
const itemResult = { type: 'function_call_output', call_id: 'c', output: 'done' };
const message = { model: 'claude', max_tokens: 5, messages: [user] };
const toolUse = { type: 'tool_use', id: 'c', name: 'f', input: { a: '#' } };

/** A body of each route with a place for a number, and the path of that place. */
const rows: readonly (readonly [route: string, body: object, path: string])[] = [
  ['/v1/chat', { ...chat, temperature: '#' }, 'temperature'],
  ['/v1/chat', { ...chat, wild: { a: ['#'] } }, 'wild.a[0]'],
  ['/v1/chat/stream', { ...chat, topP: '#' }, 'topP'],
  ['/v1/objects', object, 'schema.properties.a.const'],
  ['/v1/objects/stream', object, 'schema.properties.a.const'],
  ['/v1/agents/run', agent, 'tools[0].inputSchema.properties.a.const'],
  ['/v1/agents/stream', agent, 'tools[0].inputSchema.properties.a.const'],
  ['/v1/quote', { operation: 'chat', request: { ...chat, topP: '#' } }, 'topP'],
  ['/v1/quote', { operation: 'chat', request: chat, models: ['#'] }, 'models[0]'],
  ['/v1/embeddings', { model: 'sim-embed', input: 'a', dimensions: '#' }, 'dimensions'],
  ['/v1/runs', { maxCostUsd: '1', expiresInMs: '#' }, 'expiresInMs'],
  ['/openai/v1/chat/completions', { ...completion, temperature: '#' }, 'temperature'],
  [
    '/openai/v1/chat/completions',
    { ...completion, messages: [user, toolCalls, toolResult] },
    'messages[1].tool_calls[0].function.arguments',
  ],
  ['/openai/v1/responses', { model: 'gpt', input: 'a', temperature: '#' }, 'temperature'],
  ['/openai/v1/responses', { model: 'gpt', input: [item, itemResult] }, 'input[0].arguments'],
  ['/openai/v1/embeddings', { model: 'sim-embed', input: 'a', dimensions: '#' }, 'dimensions'],
  ['/anthropic/v1/messages', { ...message, temperature: '#' }, 'temperature'],
  [
    '/anthropic/v1/messages',
    { ...message, messages: [user, { role: 'assistant', content: [toolUse] }] },
    'messages[1].content[0].input.a',
  ],
  ['/anthropic/v1/messages/count_tokens', { ...message, temperature: '#' }, 'temperature'],
];

async function ask(route: string, body: string) {
  const headers = { authorization: `Bearer ${await stack.key('search')}` };
  const response = await stack.post('search', route, body, { headers });
  return { status: response.status, text: await stack.clock.run(response.text()) };
}

const written = (body: object, number: string) =>
  JSON.stringify(body).replace('"#"', number).replace('#', number);

const longs = {
  digits: '1'.repeat(most + 1),
  'many digits': '1'.repeat(100_000),
  'a sign': `-${'1'.repeat(most)}`,
  'a fraction': `0.${'1'.repeat(most - 1)}`,
  'an exponent': `1${'0'.repeat(most - 4)}E+50`,
};

describe.each(rows)('%s', (route, body, path) => {
  test.each(Object.entries(longs))('rejects a number of %s', async (_, number) => {
    const { status, text } = await ask(route, written(body, number));
    expect(text).toContain(says);
    expect(text).toContain(path);
    expect(status).toBe(400);
    expect(text).toMatch(/"code":"INVALID"|"type":"invalid_request_error"/);
  });

  test('rejects it in a body that is not brief, and parses nothing', async () => {
    const whole = `${' '.repeat(briefBytesMax)}${written(body, longs.digits)}`;
    const parse = vi.spyOn(JSON, 'parse');
    const { status, text } = await ask(route, whole);
    const parsed = parse.mock.calls.filter(([one]) => one === whole);
    expect(text).toContain(says);
    expect(status).toBe(400);
    // A number within a string is not a number of the body, and is checked later.
    expect(parsed.length).toBe(path.endsWith('arguments') ? 1 : 0);
  });
});

test.each([
  ['an integer', '1'.repeat(300)],
  ['a fraction', `0.${'1'.repeat(most - 2)}`],
  ['an exponent', `1.${'0'.repeat(most - 6)}e+10`],
])('%s of 400 characters or less is accepted', async (_, number) => {
  const body = written({ operation: 'agents', request: agent }, number);
  expect(await ask('/v1/quote', body)).toMatchObject({ status: 200 });
  const blanks = ' '.repeat(briefBytesMax);
  expect(await ask('/v1/quote', `${blanks}${body}`)).toMatchObject({ status: 200 });
});

test.each([500, 20_000, 200_000])('a string of %i digits is a text', async (digits) => {
  const content = `1e5 ${'1'.repeat(digits)}`;
  const request = { ...chat, messages: [{ role: 'user', content }] };
  const body = JSON.stringify({ operation: 'chat', request });
  expect(await ask('/v1/quote', body)).toMatchObject({ status: 200 });
});
