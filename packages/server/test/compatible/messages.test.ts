import { afterEach, describe, expect, it } from 'vitest';
import { formatUsd } from '../../src/lib/money.ts';
import { openRelayStack, type RelayStack } from './support/relay-stack.ts';

let stack: RelayStack | undefined;
afterEach(async () => {
  await stack?.close();
  stack = undefined;
});

const hello = { model: 'claude', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };
const told = (order: object) => ({
  ...hello,
  messages: [{ role: 'user', content: JSON.stringify(order) }],
});

describe('POST /anthropic/v1/messages', () => {
  it('relays the platform’s response, except for the model’s name, with the cost', async () => {
    stack = await openRelayStack();
    const response = await stack.ask('/anthropic/v1/messages?beta=true', hello);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      ...{ type: 'message', role: 'assistant', model: 'claude', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Hello' }],
    });
    const { costPicoUsd } = stack.simulator.bill().total;
    expect(response.headers.get('x-cost-usd')).toBe(formatUsd(costPicoUsd));
    expect(response.headers.get('x-cost-estimated')).toBe('false');
    expect(response.headers.get('x-max-tokens-applied')).toBe('100');
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    await stack.isPaid();
  });

  it('relays the platform’s events, the last when the call is settled', async () => {
    stack = await openRelayStack();
    const response = await stack.ask('/anthropic/v1/messages', { ...hello, stream: true });
    const text = await stack.textOf(response);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(text).toMatch(/^event: message_start\ndata: \{.*"model":"claude"/);
    expect(text.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true);
    expect(text).not.toContain('sim-told');
    await stack.isPaid();
  });

  it.each([false, true])(
    'reports that it was cut off, with its price; streamed: %s',
    async (stream) => {
      stack = await openRelayStack();
      const body = { ...told({ text: 'word '.repeat(100) }), max_tokens: 5, stream };
      const response = await stack.ask('/anthropic/v1/messages', body);
      expect(await stack.textOf(response)).toContain('"stop_reason":"max_tokens"');
      expect(response.status).toBe(200);
      await stack.isPaid();
    },
  );

  it.each([false, true])(
    'splits input that is cached for an hour; streamed: %s',
    async (stream) => {
      stack = await openRelayStack();
      const bills = { inputTokens: 90, cacheWriteInputTokens: 50, cacheWrite1hInputTokens: 30 };
      const content = [
        {
          type: 'text',
          text: JSON.stringify({ bills }),
          cache_control: { type: 'ephemeral', ttl: '1h' },
        },
      ];
      const messages = [{ role: 'user', content }];
      const response = await stack.ask('/anthropic/v1/messages', { ...hello, messages, stream });
      expect(await stack.textOf(response)).toContain('"ephemeral_1h_input_tokens":30');
      await stack.isPaid();
      const other = await stack.ask('/anthropic/v1/messages', {
        ...hello,
        model: 'plain',
        messages,
      });
      expect(other.status).toBe(400);
      expect(await other.text()).toContain('messages[0].content[0].cache_control.ttl');
    },
  );

  it.each([false, true])(
    'replays the same bytes, and charges nothing; streamed: %s',
    async (stream) => {
      stack = await openRelayStack();
      const headers = { 'idempotency-key': 'one' };
      const first = await stack.ask('/anthropic/v1/messages', { ...hello, stream }, headers);
      const text = await stack.textOf(first);
      const again = await stack.ask('/anthropic/v1/messages', { ...hello, stream }, headers);
      expect(await stack.textOf(again)).toBe(text);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(stack.simulator.bill().total.calls).toBe(1);
      await stack.isPaid();
    },
  );

  it('ends an interrupted stream of the platform in an error', async () => {
    stack = await openRelayStack();
    const body = told({ text: 'one two three', stream: { stop: { how: 'break', after: 3 } } });
    const text = await stack.textOf(
      await stack.ask('/anthropic/v1/messages', { ...body, stream: true }),
    );
    expect(text).toMatch(
      /event: error\ndata: \{"type":"error","error":\{"type":"api_error".*\n\n$/,
    );
    expect(text).not.toContain('message_stop');
    expect(await stack.audit()).toMatchObject({ clean: true });
  });

  it.each<[string, object, string]>([
    ['a model of another wire', { model: 'sim-echo' }, 'does not support'],
    [
      'a model that no row names',
      { model: 'claude-typo' },
      'No platform has the model claude-typo. It is not in the catalog, and the default platform does not support anthropic-messages. Use a model from GET /anthropic/v1/models.',
    ],
    ['a field that is not known', { wild: 1 }, 'wild is not supported'],
    [
      'a field within that is not known',
      { messages: [{ role: 'user', content: 'x', wild: 1 }] },
      'messages[0].wild',
    ],
    [
      'a tool that runs at the platform',
      { tools: [{ type: 'web_search_20250305', name: 'w' }] },
      'tools[0].type',
    ],
    ['another tier', { service_tier: 'priority' }, 'service_tier'],
    ['another speed', { speed: 'fast' }, 'speed'],
    ['another place', { inference_geo: 'us' }, 'inference_geo'],
    ['other models', { fallbacks: [{ model: 'x' }] }, 'fallbacks'],
    ['a container', { container: 'c' }, 'container'],
    ['servers of others', { mcp_servers: [] }, 'mcp_servers'],
    [
      'a compaction',
      { context_management: { edits: [{ type: 'compact_20260112' }] } },
      'context_management.edits[0]',
    ],
    [
      'a remote image',
      image({ type: 'url', url: 'https://x.example/a.png' }),
      'messages[0].content[0].source',
    ],
    ['a stored image', image({ type: 'file', file_id: 'f' }), 'messages[0].content[0].source'],
    ['pages', document({ type: 'base64', media_type: 'application/pdf', data: 'AAAA' }), 'source'],
    [
      'an upload',
      { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] },
      'messages[0].content[0]',
    ],
    ['no whole number of tokens', { max_tokens: 1.5 }, 'max_tokens'],
  ])('rejects %s before any reservation', async (_, more, words) => {
    stack = await openRelayStack();
    const response = await stack.ask('/anthropic/v1/messages', { ...hello, ...more });
    expect(response.status).toBe(400);
    const body = JSON.parse(await response.text());
    expect(body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(body.error.message).toContain(words);
    expect(body.request_id).toMatch(/^req_/);
    expect(stack.simulator.bill().total.calls).toBe(0);
  });

  it('responds with 402 for a spent budget', async () => {
    stack = await openRelayStack();
    const response = await stack.ask('/anthropic/v1/messages', hello, {}, 'poor');
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: { type: 'billing_error' } });
    expect(response.headers.get('x-error-code')).toBe('BUDGET_EXCEEDED');
  });

  it('responds with 501 for a stream where streams are off', async () => {
    stack = await openRelayStack({ streaming: false });
    const response = await stack.ask('/anthropic/v1/messages', { ...hello, stream: true });
    expect(response.status).toBe(501);
    expect(response.headers.get('x-should-retry')).toBe('false');
  });

  it('counts images at every depth', async () => {
    stack = await openRelayStack();
    const data = 'A'.repeat(1_000);
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const messages = [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', content: [picture] }, picture],
      },
    ];
    const refused = await stack.ask('/anthropic/v1/messages', { ...hello, messages });
    expect(refused.status).toBe(400);
    const held = await stack.heldBy({ ...hello, model: 'seeing', messages });
    const bytes = Buffer.byteLength(JSON.stringify({ ...hello, model: 'seeing', messages }));
    const input = BigInt(bytes - 2_000 + 1_024 + 2 * 20_000);
    expect(held).toBe(input * 187_500n + 100n * 600_000n);
  });
});

function image(source: object) {
  return { messages: [{ role: 'user', content: [{ type: 'image', source }] }] };
}

function document(source: object) {
  return { messages: [{ role: 'user', content: [{ type: 'document', source }] }] };
}

describe('flags', () => {
  const send = (flags: string, model = 'claude') =>
    stack?.ask('/anthropic/v1/messages', { ...hello, model }, { 'anthropic-beta': flags });

  it('without a cost are sent, and priced and unknown flags are omitted', async () => {
    stack = await openRelayStack();
    expect((await send('claude-code-20250219, context-1m-2025-08-07'))?.status).toBe(200);
    const wild = await send('wild-2026-01-01');
    expect([wild?.status, wild?.headers.get('x-dropped-fields')]).toEqual([
      200,
      'anthropic-beta.wild-2026-01-01',
    ]);
  });

  it('that are unknown are omitted if the configuration allows it', async () => {
    stack = await openRelayStack({ unknownFields: 'ignore' });
    expect((await send('wild-2026-01-01'))?.status).toBe(200);
    const body = { ...hello, wild: { deep: 1 } };
    expect((await stack.ask('/anthropic/v1/messages', body)).status).toBe(200);
  });
});

describe('other paths below /anthropic', () => {
  it('return an estimate of tokens, which is free and never sent', async () => {
    stack = await openRelayStack();
    const response = await stack.ask('/anthropic/v1/messages/count_tokens', hello);
    const bytes = Buffer.byteLength(JSON.stringify(hello));
    expect(await response.json()).toEqual({ input_tokens: Math.ceil(bytes / 4) });
    expect(response.headers.get('x-input-tokens-estimated')).toBe('true');
    expect(stack.simulator.bill().total.calls).toBe(0);
  });

  it('return a list of the models that support the format', async () => {
    stack = await openRelayStack();
    const response = await stack.get('/anthropic/v1/models');
    const { data } = JSON.parse(await response.text());
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['claude', 'plain', 'reader', 'seeing', 'silent', 'either']);
  });

  it.each(['/anthropic/v1/complete', '/anthropic/v1/messages/batches'])(
    'return 404: %s',
    async (path) => {
      stack = await openRelayStack();
      const response = await stack.ask(path, hello);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        type: 'error',
        error: { type: 'not_found_error' },
      });
    },
  );
});
