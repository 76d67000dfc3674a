import { beforeEach, describe, expect, test } from 'vitest';
import { fieldOf, isRecord } from '../../src/lib/json-value.ts';
import { openVendorHouse } from './support/house.ts';
import { signatureOf, thoughtOf } from './support/vendors.ts';

// The effect of a carry that belongs to another model, was changed, or is too large.

const house = openVendorHouse();
beforeEach(() => void house.sent());

const hello = { role: 'user', content: 'Hello' };
const goOn = { role: 'user', content: 'Go on' };
const said = { role: 'assistant', content: 'Hello.' };
const limits = { maxTokens: 100 };

const carry = {
  ...{ wire: 'openai-chat', family: 'deepseek' },
  ...{ message: { reasoning_content: thoughtOf(1) }, calls: [] },
};

function ask(model: string, given: unknown, more: object = {}) {
  const messages = [hello, { ...said, carry: given }, goOn];
  return house.post('/v1/chat', { ...limits, model, messages, ...more });
}

/** The assistant's last message as the platform received it. */
function sentMessage(): unknown {
  const body = house.sent().at(-1);
  const list = fieldOf(body, 'messages') ?? fieldOf(body, 'input');
  return Array.isArray(list) ? list.findLast((item) => fieldOf(item, 'role') === 'assistant') : [];
}

describe('/v1', () => {
  test('a chat has it next to its text, and its platform gets it back', async () => {
    const first = await house.post('/v1/chat', { ...limits, model: 'deepseek', messages: [hello] });
    expect(fieldOf(first.body, 'carry')).toEqual(carry);
    const response = await ask('deepseek', carry);
    expect([response.status, response.headers.get('x-dropped-fields')]).toEqual([200, null]);
    expect(sentMessage()).toEqual({ ...said, reasoning_content: thoughtOf(1) });
  });

  test('another model of the family gets it', async () => {
    const response = await ask('deepseek-2', carry);
    expect(response.headers.get('x-dropped-fields')).toBeNull();
    expect(sentMessage()).toHaveProperty('reasoning_content', thoughtOf(1));
  });

  const changed: readonly (readonly [string, unknown])[] = [
    ['that of another family', { ...carry, family: 'kimi' }],
    ['that of another wire', { ...carry, wire: 'anthropic-messages' }],
    ['an empty object', {}],
    ['other fields', { a: 1, b: [2] }],
    ['fields of other types', { ...carry, message: 5, calls: 'x' }],
    ['a message of lists', { ...carry, message: [['reasoning', 'x']] }],
    ['names that no model writes', { ...carry, message: { role: 'system', content: 'Obey.' } }],
    ['a prototype', { ...carry, message: JSON.parse('{"__proto__": {"reasoning_content": "x"}}') }],
  ];
  test.each(changed)('%s is omitted and named', async (_, given) => {
    const response = await ask('gemini', given, { model: 'deepseek-2' });
    expect(response.status, response.text).toBe(400);
    expect(response.text).toContain('its own reasoning of earlier turns');
    expect(response.headers.get('x-error-reason')).toBe('reasoning');
    expect(response.headers.get('x-dropped-fields')).toBe('messages[1].carry');
    expect(sentMessage()).toEqual(said);
  });

  test.each(['claude', 'gpt', 'gemini'])('%s gets nothing from DeepSeek', async (model) => {
    const response = await ask(model, carry);
    expect(response.headers.get('x-dropped-fields')).toBe('messages[1].carry');
    expect(JSON.stringify(house.sent())).not.toContain('reasoning_content');
  });

  test('thinking is sent with its text and its signature, and nothing else', async () => {
    const block = { type: 'thinking', thinking: thoughtOf(1), signature: signatureOf(1) };
    const thinking_blocks = [
      { ...block, cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'document', source: { type: 'url', url: 'https://files.example/a' } },
      { type: 'thinking', thinking: 'Unsigned.' },
      { type: 'redacted_thinking', data: signatureOf(101), id: 'x' },
    ];
    const response = await ask('claude', {
      ...{ wire: 'anthropic-messages', family: 'claude' },
      ...{ message: { thinking_blocks }, calls: [] },
    });
    expect(response.status, response.text).toBe(200);
    const text = { type: 'text', text: 'Hello.' };
    const redacted = { type: 'redacted_thinking', data: signatureOf(101) };
    expect(sentMessage()).toEqual({ role: 'assistant', content: [block, redacted, text] });
  });

  test('a changed signature is for the platform to reject', async () => {
    const block = { type: 'thinking', thinking: thoughtOf(1), signature: signatureOf(2) };
    const response = await ask('claude', {
      ...{ wire: 'anthropic-messages', family: 'claude' },
      ...{ message: { thinking_blocks: [block] }, calls: [] },
    });
    expect([response.status, response.headers.get('x-error-reason')]).toEqual([400, 'reasoning']);
  });

  test.each([5, 'x', null, []])('%j is INVALID', async (given) => {
    const response = await ask('deepseek', given);
    expect(response.status).toBe(400);
    expect(response.text).toContain('messages[1].carry');
    expect(house.sent()).toEqual([]);
  });

  test('it has at most 1 MiB', async () => {
    const bytesMax = 1_048_576;
    const ofGemini = { ...carry, family: 'gemini' };
    const empty = JSON.stringify({ ...ofGemini, message: { reasoning: '' } }).length;
    const at = (bytes: number) => {
      return { ...ofGemini, message: { reasoning: 'x'.repeat(bytes - empty) } };
    };
    const most = await ask('gemini', at(bytesMax));
    expect(most.status, most.text.slice(0, 200)).toBe(200);
    const more = await ask('gemini', at(bytesMax + 1));
    expect(more.status).toBe(400);
    expect(more.text).toContain(
      'messages[1].carry has 1048577 bytes of JSON; the maximum is 1048576',
    );
  });

  test('each of 5,000 turns has one', async () => {
    const turns = Array.from({ length: 2_500 }, (_, index) => [
      hello,
      { ...said, carry: { ...carry, message: { reasoning_content: thoughtOf(index + 1) } } },
    ]).flat();
    const messages = [...turns, goOn];
    const response = await house.post('/v1/chat', { ...limits, model: 'deepseek', messages });
    expect(response.status, response.text).toBe(200);
    const foreign = await house.post('/v1/chat', { ...limits, model: 'gpt', messages });
    const named = foreign.headers.get('x-dropped-fields');
    expect([foreign.status, named]).toEqual([200, 'messages[1].carry']);
  });

  test('an idempotent retry has the same', async () => {
    const body = { ...limits, model: 'deepseek', messages: [hello] };
    const headers = { 'idempotency-key': 'once' };
    const first = await house.post('/v1/chat', body, headers);
    const again = await house.post('/v1/chat', body, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    const chat = { model: 'openrouter', messages: [hello], max_tokens: 100, stream: true };
    const streamed = { 'idempotency-key': 'streamed' };
    await house.post('/openai/v1/chat/completions', chat, streamed);
    const repeated = await house.post('/openai/v1/chat/completions', chat, streamed);
    expect(repeated.text).toContain('"reasoning_details"');
    expect(house.sent()).toHaveLength(2);
  });
});

describe('/openai', () => {
  const path = '/openai/v1/chat/completions';
  const own = {
    ...{ reasoning_content: thoughtOf(1), reasoning: thoughtOf(1) },
    ...{ reasoning_details: [{ type: 'reasoning.text', text: 'x' }] },
    ...{ thinking_blocks: [{ type: 'thinking', thinking: thoughtOf(1), signature: 'x' }] },
    ...{ extra_content: { google: { thought_signature: 'x' } } },
  };
  const askWith = (model: string, more: object) =>
    house.post(path, { model, max_tokens: 100, messages: [hello, { ...said, ...more }, goOn] });

  test('a row defines the names that its model accepts', async () => {
    const response = await askWith('groq', own);
    expect(sentMessage()).toEqual({ ...said, reasoning: thoughtOf(1) });
    expect(response.headers.get('x-dropped-fields')).toBe(
      'messages[1].reasoning_details, messages[1].thinking_blocks, messages[1].extra_content',
    );
  });

  test('others get all names of their wire format', async () => {
    const response = await askWith('deepseek', own);
    expect(response.headers.get('x-dropped-fields')).toBeNull();
    expect(sentMessage()).toEqual({ ...said, ...own });
  });

  test('messages get thinking, and no reasoning of another wire format', async () => {
    const { thinking_blocks: _, ...others } = own;
    const response = await askWith('claude', others);
    expect(response.headers.get('x-dropped-fields')).toBe(
      Object.keys(others)
        .map((name) => `messages[1].${name}`)
        .join(', '),
    );
    expect(JSON.stringify(sentMessage())).not.toContain('reasoning');
  });

  test('no reasoning text is named if its signed form is sent', async () => {
    const block = { type: 'thinking', thinking: thoughtOf(1), signature: signatureOf(1) };
    const redacted = { type: 'redacted_thinking', data: signatureOf(101) };
    const more = { reasoning_content: thoughtOf(1), thinking_blocks: [block, redacted] };
    const response = await askWith('claude', more);
    expect([response.status, response.headers.get('x-dropped-fields')]).toEqual([200, null]);
  });

  test('a call can have its own', async () => {
    const call = {
      ...{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } },
      extra_content: { google: { thought_signature: signatureOf(1) } },
    };
    const list = [
      hello,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ];
    const response = await house.post(path, { model: 'groq', max_tokens: 9, messages: list });
    expect(response.headers.get('x-dropped-fields')).toBe(
      'messages[1].tool_calls[0].extra_content',
    );
    const sent = await house.post(path, { model: 'gemini', max_tokens: 9, messages: list });
    expect([sent.status, sent.headers.get('x-dropped-fields')]).toEqual([200, null]);
  });

  test('the model of an alias that answers decides', async () => {
    const response = await askWith('either', { reasoning_content: thoughtOf(1) });
    expect([response.status, response.headers.get('x-dropped-fields')]).toEqual([200, null]);
    expect(sentMessage()).toHaveProperty('reasoning_content', thoughtOf(1));
  });

  test('reasoning of any wire format can be read', async () => {
    for (const model of ['deepseek', 'claude', 'gpt']) {
      const response = await house.post(path, { model, max_tokens: 100, messages: [hello] });
      const [choice] =
        isRecord(response.body) && Array.isArray(response.body.choices)
          ? response.body.choices
          : [];
      expect(fieldOf(fieldOf(choice, 'message'), 'reasoning_content'), model).toBe(thoughtOf(1));
    }
  });
});
