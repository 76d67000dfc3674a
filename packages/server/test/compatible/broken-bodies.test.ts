import { describe, expect, test } from 'vitest';
import { send } from '../support/exchange.ts';
import { sharedStack } from '../support/shared-stack.ts';

// Each body has one fault. Each API format responds in its own words, and names the field.

const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "2"';
const shared = sharedStack({
  yaml: `
company: acme
store: sqlite:./gateway.db
streaming: true
ingress: { openai: true, anthropic: true }
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 1000, burst: 1000, requestsPerDay: 100000 } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
  - { id: chat, platform: sandbox, upstreamModel: sim-echo, images: true, ${prices} }
  - { id: gpt, platform: sandbox, upstreamModel: sim-echo, speaks: [responses], ${prices} }
  - { id: claude, platform: sandbox, upstreamModel: sim-echo, speaks: [messages], ${prices} }
  - { id: vectors, platform: sandbox, upstreamModel: sim-embed, kind: embeddings, inputUsdPerMillion: "1" }
`,
});

const hello = { role: 'user', content: 'Hello' };
const noText = [7, true, {}];
const noNumber = ['x', true, [], {}];
const noObject = ['x', 7, true, []];
const said = (message: unknown) => [{ messages: [message] }, 'messages[0]'] as const;
const put = (item: unknown) => [{ input: [item] }, 'input[0]'] as const;

/** A change of the body, and the beginning of the field that its error names. */
type Row = readonly [object, string];

/** A body for each wrong value of a field. */
function each(fields: Readonly<Record<string, readonly unknown[]>>): Row[] {
  return Object.entries(fields).flatMap(([name, values]) =>
    values.map((value): Row => [{ [name]: value }, name]),
  );
}

const ofConversations: readonly Row[] = [
  ...each({ messages: ['x', 7, {}] }),
  ...[7, 'x', null, []].map((message) => said(message)),
  said({ content: 'x' }),
  said({ role: 'robot', content: 'x' }),
  said({ role: 7, content: 'x' }),
  said({ role: 'user', content: 7 }),
  said({ role: 'user', content: { type: 'text', text: 'x' } }),
  said({ role: 'user', content: [7] }),
  said({ role: 'user', content: [{ text: 'x' }] }),
  said({ role: 'user', content: [{ type: 'robot' }] }),
  said({ role: 'user', content: 'x', mood: 'good' }),
];

interface Format {
  readonly path: string;
  readonly body: object;
  readonly rows: readonly Row[];
  /** The form of its errors. Some have a separate place for the field. */
  readonly error: (field: string) => object;
}

const openAi = (field: string) => ({
  error: {
    ...{ type: 'invalid_request_error', message: expect.any(String) },
    ...{ param: expect.stringMatching(beginsWith(field)), code: expect.any(String) },
  },
});
const sampling = { temperature: noNumber, top_p: noNumber };

const formats: Readonly<Record<string, Format>> = {
  chat: {
    ...{ path: '/openai/v1/chat/completions', body: { model: 'chat', messages: [hello] } },
    error: openAi,
    rows: [
      ...each({ model: ['', ...noText], ...sampling, stream: ['x', 7, {}], n: [2, 'x'] }),
      ...each({ max_tokens: [0, -2, 1.5, ...noNumber], seed: [1.5, 'x'], stop: [7, [7], ['']] }),
      ...each({ tools: ['x', 7, [7], [{}], [{ type: 'robot' }], [{ type: 'function' }]] }),
      ...each({ response_format: ['x', 7, {}, { type: 'robot' }, { type: 'json_schema' }] }),
      ...each({ tool_choice: [7, 'robot', 'required', {}, { type: 'allowed_tools' }] }),
      ...each({ presence_penalty: [3, 'x'], logit_bias: [{ 1: 2 }], logprobs: [true] }),
      ...each({ reasoning_effort: ['robot', 7], verbosity: ['loud'], functions: [[{}]] }),
      ...each({ service_tier: ['flex'], wild: [1], stream_options: ['x'], metadata: ['x'] }),
      ...ofConversations,
      said({ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }),
      said({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }),
      said({ role: 'user', content: [{ type: 'image_url' }] }),
      said({ role: 'assistant' }),
      said({ role: 'tool', tool_call_id: 'x', content: 'x' }),
    ],
  },
  responses: {
    ...{ path: '/openai/v1/responses', body: { model: 'gpt', input: 'Hello' } },
    error: openAi,
    rows: [
      ...each({ model: ['', ...noText], stream: ['x', 7, {}], input: [7, {}, true] }),
      ...each({ max_output_tokens: [0, -1, 1.5, ...noNumber], user: noText }),
      ...each({ tools: ['x', 7, {}, [7], ['x'], [{ type: 'robot' }], [{ type: 'function' }]] }),
      ...each({ tools: [[{ type: 'web_search' }], [{ type: 'mcp' }], [{ type: 'custom' }]] }),
      ...each({ text: [...noObject, { format: 7 }, { format: { type: 'robot' } }, { mood: 1 }] }),
      ...each({ service_tier: ['flex', 7], prompt_cache_retention: ['24h'], n: [2], wild: [1] }),
      ...each({ previous_response_id: ['x'], conversation: ['x'], background: [true] }),
      ...each({ context_management: [[]], prompt: [{}], functions: [[]], logprobs: [true] }),
      ...each({ stream_options: ['x', { mood: 1 }], prompt_cache_options: ['x', { mode: 'x' }] }),
      ...[7, 'x', [], null].map((item) => put(item)),
      put({ content: 'x' }),
      put({ role: 'robot', content: 'x' }),
      put({ role: 'user', content: 7 }),
      put({ role: 'user', content: [7] }),
      put({ role: 'user', content: [{ type: 'robot' }] }),
      put({ role: 'user', content: [{ type: 'input_file', file_id: 'x' }] }),
      put({ role: 'user', content: [{ type: 'input_image', image_url: 7 }] }),
      put({ type: 'robot' }),
      put({ type: 'item_reference', id: 'x' }),
      put({ role: 'user', content: 'x', mood: 'good' }),
    ],
  },
  embeddings: {
    ...{ path: '/openai/v1/embeddings', body: { model: 'vectors', input: 'Hello' } },
    error: openAi,
    rows: [
      ...each({ model: ['', ...noText, []], user: [...noText, []], safety_identifier: noText }),
      ...each({ input: ['', 7, true, {}, [], [''], [true], [{}], [['x']], [[]], [[-1]], [[1.5]]] }),
      ...each({ input: [['a', 7], ['a', ''], [7, 'a'], [[7], 'a'], ['a', [7]], [2 ** 31], [-1]] }),
      ...each({ dimensions: [0, -1, 1.5, ...noNumber], encoding_format: ['hex', 7, [], {}, ''] }),
      ...each({
        wild: [1, 'x', {}, []],
        n: [2],
        tools: [[]],
        input_type: ['query'],
        stream: [true],
      }),
      ...each({ task: ['x'], truncate: [true], instruction: ['x'], messages: [[hello]] }),
      ...each({ max_tokens: [5], service_tier: ['flex'], prompt: ['x'], texts: [['x']] }),
    ],
  },
  messages: {
    path: '/anthropic/v1/messages',
    body: { model: 'claude', max_tokens: 10, messages: [hello] },
    error: (field) => ({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: expect.stringMatching(beginsWith(field)),
      },
    }),
    rows: [
      ...each({ model: ['', ...noText], stream: ['x', 7, {}], max_tokens: [0, 1.5, ...noNumber] }),
      ...each({ system: [7, {}, [7], [{ type: 'robot' }]], metadata: [...noObject, { mood: 1 }] }),
      ...each({ tools: ['x', 7, {}, [7], [{ type: 'robot' }], [{ type: 'custom' }]] }),
      ...each({ tools: [[{ type: 'web_search_20250305', name: 'web_search' }]] }),
      ...each({ output_format: [...noObject, { type: 'robot' }], output_config: noObject }),
      ...each({ service_tier: ['flex', 7], speed: ['fast'], inference_geo: ['us'], n: [2] }),
      ...each({
        container: ['x'],
        mcp_servers: [[]],
        compaction: [{}],
        wild: [1],
        functions: [[]],
      }),
      ...each({ context_management: ['x', { edits: [{ type: 'compact_20260112' }] }] }),
      ...each({ cache_control: ['x', { type: 'ephemeral', ttl: '2h' }] }),
      ...ofConversations,
      said({ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'x' } }] }),
      said({ role: 'user', content: [{ type: 'document', source: { type: 'base64' } }] }),
      said({ role: 'user', content: [{ type: 'container_upload', file_id: 'x' }] }),
    ],
  },
  own: {
    path: '/v1/chat',
    body: { model: 'chat', maxTokens: 10, messages: [hello] },
    error: (field) => ({
      error: { code: 'INVALID', message: expect.stringMatching(beginsWith(field)) },
    }),
    rows: [
      ...each({ model: ['', null, [], ...noText], maxTokens: [0, -1, 1.5, null, ...noNumber] }),
      ...each({ temperature: [null, ...noNumber], topP: [2, null, ...noNumber] }),
      ...each({ stop: [7, 'x', [7], [''], {}], userId: ['', 'a/b', ...noText], wild: [1] }),
      ...each({ max_tokens: [1], stream: [true], tools: [[]], system: ['x'], n: [1] }),
      ...ofConversations,
      said({ role: 'user', content: [{ type: 'image', mediaType: 'image/png' }] }),
      said({ role: 'user', content: [{ type: 'image', mediaType: 7, data: 'x' }] }),
      said({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }),
      said({ role: 'assistant' }),
      said({ role: 'tool', toolCallId: 'x', content: 'x' }),
    ],
  },
};

/** Anthropic and `/v1` name the field at the beginning of the message. */
function beginsWith(field: string): RegExp {
  return new RegExp(`^${field.replace(/[[\]]/g, '\\$&')}(?![A-Za-z])`);
}

describe.each(Object.entries(formats))('%s', (_, { path, body, rows, error }) => {
  test(`has enough of them: ${rows.length}`, () => {
    expect(rows.length).toBeGreaterThanOrEqual(50);
  });

  test.each(rows.map(([more, field]) => [JSON.stringify(more), field, more] as const))(
    '%s',
    async (_text, field, more) => {
      const { stack } = shared();
      const headers = {
        ...{ 'x-api-key': await stack.key('search'), 'content-type': 'application/json' },
        'anthropic-version': '2023-06-01',
      };
      const sent = JSON.stringify({ ...body, ...more });
      const answer = await send(stack, path, { method: 'POST', headers, body: sent });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        400,
        expect.objectContaining(error(field)),
      ]);
      expect(stack.simulator.bill().total.calls).toBe(0);
    },
  );
});
