import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldOf } from '../../src/lib/json-value.ts';
import { createAnthropic } from '../../src/platforms/kinds/anthropic.ts';
import type { ModelRequest } from '../../src/platforms/model/model-request.ts';
import type { AttemptOutcome } from '../../src/platforms/model/port.ts';
import { messagesSubject } from './support/anthropic-message.ts';
import { answering, type ScriptedServer, startScriptedServer } from './support/scripted-server.ts';
import {
  attemptAgainst,
  attemptOn,
  modelRow,
  smallRequest,
  testApiKey,
  testContext,
} from './support/try-platform.ts';

let answer: Readonly<Record<string, unknown>>;
let server: ScriptedServer;
beforeEach(async () => {
  answer = messagesSubject.answer({});
  server = await startScriptedServer((socket, request) =>
    answering(200, JSON.stringify(answer))(socket, request),
  );
});
afterEach(() => server.close());

/** Makes one attempt; returns the sent request and the result. */
async function sent(
  asked: Partial<ModelRequest>,
  model = 'claude-opus-4-8',
): Promise<{ head: string; body: Readonly<Record<string, unknown>>; outcome: AttemptOutcome }> {
  const config = { name: 'claude', kind: 'anthropic', apiKey: testApiKey } as const;
  const platform = createAnthropic({ ...config, baseUrl: server.url }, testContext);
  const outcome = await attemptOn(platform, {
    model: platform.model(modelRow(model)),
    projectId: 'wrkspc_1',
    request: { ...smallRequest, ...asked },
  });
  await platform.close();
  const { head = '', body = '{}' } = server.requests.at(-1) ?? {};
  return { head, body: JSON.parse(body), outcome };
}

/** The priced terms, which follow every other field. */
const terms = ['service_tier', 'inference_geo'];

const closed = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 1 } },
  required: ['city'],
  additionalProperties: false,
} as const;

describe('the requested maximum equals the reserved one', () => {
  it.each([
    'claude-opus-4-8',
    'claude-3-haiku-20240307',
    'claude-haiku-4-5',
    'anthropic.claude-opus-4-8',
    'sim-echo',
    'a-model-of-tomorrow',
  ])('%s: no maximum of the library comes between', async (model) => {
    for (const maxTokens of [1, 4_097, 64_001, 1_000_000]) {
      const { body } = await sent({ maxTokens }, model);
      expect(body).toMatchObject({ model, max_tokens: maxTokens });
    }
  });

  it('settings are sent unchanged, for the platform to check', async () => {
    const { body } = await sent({ temperature: 1.5, topP: 0.9, stop: ['END'] });
    expect(body).toMatchObject({ temperature: 1.5, top_p: 0.9, stop_sequences: ['END'] });
    const bare = Object.keys((await sent({})).body);
    expect(bare).toEqual(['model', 'max_tokens', 'messages', ...terms]);
  });

  it('no beta is requested, whatever the call needs', async () => {
    const tool = { name: 'weather', inputSchema: closed };
    const json = { schema: closed };
    for (const asked of [{ tools: [tool] }, { json }, { tools: [tool], json }]) {
      expect((await sent(asked)).head).not.toMatch(/anthropic-beta/i);
    }
  });
});

describe('efforts', () => {
  const models = ['claude-haiku-4-5', 'claude-sonnet-4-5-20250929', 'claude-opus-4-1', 'other'];
  const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

  // Anthropic rejects a budget that is not below the maximum, and one below 1,024.
  it.each(models)('%s: a budget is below the maximum', async (model) => {
    for (const reasoning of efforts) {
      for (const maxTokens of [1, 1_024, 1_025, 4_096, 16_000, 64_000]) {
        const { body } = await sent({ reasoning, maxTokens }, model);
        expect(body.max_tokens).toBe(maxTokens);
        const budget = fieldOf(body.thinking, 'budget_tokens') ?? 1_024;
        expect(Number(budget)).toBeGreaterThanOrEqual(1_024);
        expect(Number(fieldOf(body.thinking, 'budget_tokens') ?? 0)).toBeLessThan(maxTokens);
        if (maxTokens > 1_024) expect(body.thinking).toMatchObject({ type: 'enabled' });
      }
    }
  });

  it.each([
    ...['claude-3-haiku-20240307', 'claude-3-5-sonnet-20241022', 'claude-3.5-haiku'],
    ...['anthropic.claude-3-opus-20240229-v1:0', 'claude-2.1', 'claude-instant-1.2'],
  ])('%s: has none, and none is requested', async (model) => {
    for (const reasoning of [...efforts, 'none'] as const) {
      const { body } = await sent({ reasoning, maxTokens: 4_096 }, model);
      expect(body).not.toHaveProperty('thinking');
      expect(body).not.toHaveProperty('output_config');
    }
  });

  it('claude-3-7-sonnet has them', async () => {
    const { body } = await sent({ reasoning: 'low', maxTokens: 4_096 }, 'claude-3-7-sonnet');
    expect(body.thinking).toMatchObject({ type: 'enabled' });
  });
});

describe('conversations', () => {
  it('instructions come first, wherever they were', async () => {
    const { head, body } = await sent({
      messages: [
        { role: 'system', content: 'One.' },
        { role: 'user', content: 'a' },
        { role: 'system', content: 'Two.' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    });
    expect(body.system).toEqual([
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.' },
    ]);
    expect(body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user' },
    ]);
    expect(head).not.toMatch(/anthropic-beta/i);
  });

  it('an empty answer of an earlier turn is not a block', async () => {
    const { body } = await sent({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'b' },
      ],
    });
    expect(JSON.stringify(body.messages)).not.toContain('"text":""');
    expect(JSON.stringify(body.messages)).not.toContain('"content":[]');
  });

  it('has no blank text, in any role', async () => {
    const call = { id: 'a', name: 'look', input: {} };
    const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const blank = { type: 'text', text: ' \n' } as const;
    const { body } = await sent({
      messages: [
        { role: 'system', content: '' },
        { role: 'system', content: '\n' },
        { role: 'user', content: [blank, image] },
        { role: 'assistant', content: '\n\n', toolCalls: [call] },
        { role: 'tool', toolCallId: 'a', content: '' },
        { role: 'assistant', content: '' },
        { role: 'user', content: [blank] },
        { role: 'user', content: '' },
      ],
    });
    expect(body).not.toHaveProperty('system');
    expect(JSON.stringify(body)).not.toMatch(/"text":"[\s\\n]*"/);
    expect(body.messages).toMatchObject([
      { role: 'user', content: [{ type: 'image' }] },
      { role: 'assistant', content: [{ type: 'tool_use' }] },
      { role: 'user', content: [{ type: 'tool_result' }] },
    ]);
  });

  it.each([
    ['instructions alone', [{ role: 'system', content: 'Be brief.' }]],
    ['a blank text', [{ role: 'user', content: ' ' }]],
    ['no message', []],
  ] as const)('%s are rejected, and nothing is sent', async (_, messages) => {
    const { outcome } = await sent({ messages: [...messages] });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'BAD_REQUEST', billed: 'no' });
    expect(server.requests).toEqual([]);
  });

  it('sends the app’s workspace and the version of the wire format', async () => {
    const { head } = await sent({});
    expect(head).toContain('anthropic-workspace-id: wrkspc_1');
    expect(head).toContain('anthropic-version: 2023-06-01');
  });
});

describe('an object', () => {
  it('is requested by its schema if the platform can follow it', async () => {
    const { body } = await sent({ json: { schema: closed } }, 'sim-echo');
    expect(body.output_config).toMatchObject({
      format: { type: 'json_schema', schema: { type: 'object', required: ['city'] } },
    });
    expect(body.tools).toBeUndefined();
  });

  it.each([
    ['is open', { type: 'object' }],
    ['is open within', { ...closed, properties: { more: { type: 'object' } } }],
    [
      'goes round',
      { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false },
    ],
    [
      'has many parts that may be missing',
      {
        type: 'object',
        properties: Object.fromEntries([...'abcdefghijk'].map((key) => [key, { type: 'string' }])),
        additionalProperties: false,
      },
    ],
  ] as const)('is requested by a tool where its schema %s', async (_, schema) => {
    answer = messagesSubject.answer({
      text: 'Here it is.',
      toolCalls: [{ name: 'json', arguments: '{"a":1}' }],
      finish: 'tool-calls',
    });
    const { body, outcome } = await sent({ json: { schema } });
    expect(body).toMatchObject({
      tools: [{ name: 'json', input_schema: schema }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    expect(body.output_config).toBeUndefined();
    expect(outcome).toMatchObject({
      content: [{ type: 'text', text: '{"a":1}' }],
      finish: 'stop',
    });
  });

  it('that was cut off is reported as cut off, by tool or not', async () => {
    answer = messagesSubject.answer({
      toolCalls: [{ name: 'json', arguments: '{}' }],
      finish: 'length',
    });
    const { outcome } = await sent({
      json: { schema: { type: 'object' } },
    });
    expect(outcome).toMatchObject({ finish: 'length' });
  });

  it('that arrives as text in spite of its tool is used as text', async () => {
    answer = messagesSubject.answer({ text: '{"a":1}' });
    const { outcome } = await sent({
      json: { schema: { type: 'object' } },
    });
    expect(outcome).toMatchObject({ content: [{ type: 'text', text: '{"a":1}' }], finish: 'stop' });
  });

  it('without a schema depends on the prompt', async () => {
    const { body } = await sent({ json: {} });
    expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'messages', ...terms]);
  });
});

it('thinking is carried, and unrequested blocks are skipped', async () => {
  const thinking_blocks = [
    { type: 'thinking', thinking: 'Well.', signature: 'x' },
    { type: 'redacted_thinking', data: 'x' },
  ];
  answer = {
    ...answer,
    content: [
      ...thinking_blocks,
      { type: 'a_block_of_tomorrow', words: [1] },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' there.', citations: [{ type: 'odd' }] },
    ],
  };
  const { outcome } = await sent({});
  expect(outcome).toMatchObject({
    content: [
      { type: 'reasoning', text: 'Well.' },
      { type: 'text', text: 'Hello' },
      { type: 'text', text: ' there.' },
    ],
    carried: { wire: 'anthropic-messages', message: { thinking_blocks }, calls: [] },
  });
});

/** The result of a tool call whose input is nested lists. */
function nested(input: string) {
  const toolCalls = [{ name: 'look', arguments: '"deep"' }];
  const text = JSON.stringify(messagesSubject.answer({ toolCalls, finish: 'tool-calls' }));
  const script = answering(200, text.replace('"deep"', input));
  return attemptAgainst(messagesSubject.platformAt, script);
}

it('an input is read deeper than any body may send it back', async () => {
  const input = '['.repeat(100) + ']'.repeat(100);
  const outcome = await nested(input);
  expect(outcome).toMatchObject({ kind: 'answered', usage: { inputTokens: 19 } });
  const call = outcome.kind === 'answered' ? outcome.content.at(-1) : undefined;
  expect(call?.type === 'tool-call' && call.input === input).toBe(true);
  const endless = await nested('['.repeat(500_000) + ']'.repeat(500_000));
  expect(endless).toMatchObject({ kind: 'failed', code: 'SERVER', billed: 'unknown' });
});
