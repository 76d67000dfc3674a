import { afterEach, describe, expect, it } from 'vitest';
import { openRelayStack, type RelayStack } from './support/relay-stack.ts';

let stack: RelayStack | undefined;
afterEach(async () => {
  await stack?.close();
  stack = undefined;
});

const path = '/openai/v1/responses';
const hello = { model: 'gpt', input: 'Hello' };
const fn = { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false };
const inputOf = (part: object) => ({ input: [{ role: 'user', content: [part] }] });

describe('POST /openai/v1/responses', () => {
  it('relays the response, except for the model’s name, and stores nothing there', async () => {
    stack = await openRelayStack();
    const response = await stack.ask(path, { ...hello, store: true });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ object: 'response', model: 'gpt' });
    expect(response.headers.get('x-max-tokens-applied')).toBe('4096');
    expect(stack.simulator.bill()).toMatchObject({ storedCalls: 0 });
    await stack.isPaid();
  });

  it.each(['Hello', JSON.stringify({ text: 'word '.repeat(99) })])(
    'relays the platform’s events, the last when the call is settled: %s',
    async (input) => {
      stack = await openRelayStack();
      const body = { ...hello, input, stream: true, max_output_tokens: 32 };
      const text = await stack.textOf(await stack.ask(path, body));
      expect(text).toMatch(/^event: response.created\n/);
      expect(text).toMatch(/event: response\.(completed|incomplete)\ndata: .*\n\n$/);
      expect(text).not.toContain('sim-told');
      await stack.isPaid();
    },
  );

  it('replays the same bytes of a stream', async () => {
    stack = await openRelayStack();
    const headers = { 'idempotency-key': 'one' };
    const ask = () => stack?.ask(path, { ...hello, stream: true }, headers) ?? Promise.reject();
    const text = await stack.textOf(await ask());
    expect(await stack.textOf(await ask())).toBe(text);
    await stack.isPaid();
  });

  it('ends an interrupted stream of the platform in an error', async () => {
    stack = await openRelayStack();
    const input = JSON.stringify({ text: 'a b c', stream: { stop: { how: 'break', after: 3 } } });
    const text = await stack.textOf(await stack.ask(path, { ...hello, input, stream: true }));
    expect(text).toMatch(/event: error\ndata: \{"type":"error".*\n\n$/);
    expect(await stack.audit()).toMatchObject({ clean: true });
  });

  it.each<[string, object, string]>([
    ['a model of another wire', { model: 'claude' }, 'model'],
    ['a field that is not known', { wild: 1 }, 'wild'],
    ['an earlier response', { previous_response_id: 'r' }, 'previous_response_id'],
    ['a conversation', { conversation: 'c' }, 'conversation'],
    ['work behind the scenes', { background: true }, 'background'],
    ['a stored prompt', { prompt: { id: 'p' } }, 'prompt'],
    ['a tier', { service_tier: 'priority' }, 'service_tier'],
    ['a file', inputOf({ type: 'input_file', file_id: 'f' }), 'input[0].content[0]'],
    [
      'a stored image',
      inputOf({ type: 'input_image', file_id: 'f' }),
      'input[0].content[0].file_id',
    ],
    [
      'a remote image',
      inputOf({ type: 'input_image', image_url: 'https://x.example/a.png' }),
      'input[0].content[0].image_url',
    ],
    [
      'an item that is kept elsewhere',
      { input: [{ type: 'item_reference', id: 'i' }] },
      'input[0]',
    ],
    ['a tool that runs at the platform', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  ])('rejects %s before any reservation', async (_, more, param) => {
    stack = await openRelayStack();
    const response = await stack.ask(path, { ...hello, ...more });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', param },
    });
    expect(stack.simulator.bill().total.calls).toBe(0);
  });

  it('removes tools that run at the platform, if configured', async () => {
    stack = await openRelayStack({ serverTools: 'remove' });
    const tools = [fn, { type: 'web_search', external_web_access: false }];
    const input = 'Hello';
    const response = await stack.ask(path, { ...hello, input, tools, tool_choice: 'auto' });
    expect(response.status).toBe(200);
    await stack.isPaid();
  });
});
