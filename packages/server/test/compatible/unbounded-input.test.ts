import { afterEach, describe, expect, test } from 'vitest';
import { openRelayStack, type RelayStack } from './support/relay-stack.ts';

let stack: RelayStack;
afterEach(() => stack.close());

const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQ=' };
const pdfUrl = 'data:application/pdf;base64,JVBERi0=';
const url = { type: 'url', url: 'https://files.example/a' };
const file = { type: 'file', file_id: 'file_1' };
const content = { type: 'content', content: [{ type: 'text', text: 'a' }] };
const document = (source: object) => ({ type: 'document', source });
const result = (part: object) => ({ type: 'tool_result', tool_use_id: 't', content: [part] });

/** Parts of a request, each with the path of the field that is rejected by default. */
const ofMessages: readonly (readonly [string, object, string])[] = [
  ['a PDF', document(pdf), 'source'],
  ['a PDF elsewhere', document(url), 'source'],
  ['a stored PDF', document(file), 'source'],
  ['a document of parts', document(content), 'source'],
  ['an image elsewhere', { type: 'image', source: url }, 'source'],
  ['a stored image', { type: 'image', source: file }, 'source'],
  ['a PDF as the result of a tool', result(document(pdf)), 'content[0].source'],
];

const ofResponses: readonly (readonly [string, object, string])[] = [
  ['a file', { type: 'input_file', file_data: 'data:application/pdf;base64,AAAA' }, ''],
  ['a stored file', { type: 'input_file', file_id: 'file-1' }, ''],
  ['an image elsewhere', { type: 'input_image', image_url: url.url }, 'image_url'],
  ['a stored image', { type: 'input_image', file_id: 'file-1' }, 'file_id'],
];

const ofChats: readonly (readonly [string, object, string])[] = [
  ['a file', { type: 'file', file: { file_data: pdfUrl, filename: 'a.pdf' } }, 'type'],
  ['a stored file', { type: 'file', file: { file_id: 'file-1' } }, 'type'],
  ['an image elsewhere', { type: 'image_url', image_url: { url: url.url } }, 'image_url.url'],
];

const told = { type: 'text', text: JSON.stringify({ text: 'Read.' }) };

function messageWith(part: object, more: object = {}) {
  const asked = [{ type: 'tool_use', id: 't', name: 'read', input: {} }];
  const isResult = 'tool_use_id' in part;
  const before = isResult ? [{ role: 'assistant', content: asked }] : [];
  const messages = [...before, { role: 'user', content: [part, told] }];
  return { model: 'reader', max_tokens: 100, messages, ...more };
}

function responseWith(part: object, more: object = {}) {
  const input = [{ role: 'user', content: [part, { ...told, type: 'input_text' }] }];
  return { model: 'gpt-reader', max_output_tokens: 100, input, ...more };
}

function chatWith(part: object, more: object = {}) {
  const messages = [{ role: 'user', content: [part, told] }];
  return { model: 'chat-reader', max_tokens: 100, messages, ...more };
}

const cases = [
  ...ofChats.map(([name, part, field]) => ({
    ...{ name: `chat completions, ${name}`, path: '/openai/v1/chat/completions' },
    ...{ bodyOf: (more?: object) => chatWith(part, more), field: `content[0].${field}` },
  })),
  ...ofMessages.map(([name, part, field]) => ({
    ...{ name: `messages, ${name}`, path: '/anthropic/v1/messages' },
    ...{ bodyOf: (more?: object) => messageWith(part, more), field: `content[0].${field}` },
  })),
  ...ofResponses.map(([name, part, field]) => ({
    ...{ name: `responses, ${name}`, path: '/openai/v1/responses' },
    ...{ bodyOf: (more?: object) => responseWith(part, more) },
    field: `content[0]${field && `.${field}`}`,
  })),
];

/** The whole context at the highest input rate of the row, and the requested output. */
const heldPicoUsd = 200_000n * 187_500n + 100n * 600_000n;

describe('input that its bytes do not limit', () => {
  test.for(cases)('$name: rejected by default, with its field', async ({ path, bodyOf, field }) => {
    stack = await openRelayStack();
    const response = await stack.ask(path, bodyOf());
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.stringContaining(field)]);
    expect(stack.simulator.bill().total.calls).toBe(0);
  });

  test.for(cases.flatMap((each) => [false, true].map((stream) => ({ ...each, stream }))))(
    '$name: passed unchanged with `hold-context`, and paid as reported; streamed: $stream',
    async ({ path, bodyOf, stream }) => {
      stack = await openRelayStack({ unboundedInput: 'hold-context' });
      const response = await stack.ask(path, bodyOf({ stream }));
      const text = await stack.textOf(response);
      expect([response.status, text]).toEqual([200, expect.stringContaining('Read.')]);
      await stack.isPaid();
    },
  );
});

test('the reservation is the whole context, even for a small body', async () => {
  stack = await openRelayStack({ unboundedInput: 'hold-context' });
  for (const [, part] of ofMessages) {
    expect(await stack.heldBy(messageWith(part))).toBe(heldPicoUsd);
  }
  expect(await stack.heldBy(messageWith(told))).toBeLessThan(heldPicoUsd / 10n);
});

test('a response without counts is booked as the whole context', async () => {
  stack = await openRelayStack({ unboundedInput: 'hold-context' });
  const body = messageWith({ type: 'document', source: url }, { model: 'silent' });
  const response = await stack.ask('/anthropic/v1/messages', body);
  await stack.textOf(response);
  const key = await stack.key('search');
  const usage = await stack.fetch('http://gateway.test/v1/usage', {
    headers: { 'x-api-key': key },
  });
  expect(JSON.parse(await usage.text())).toMatchObject({ totals: { estimatedUsd: '0.03756' } });
  expect(await stack.audit()).toMatchObject({ clean: true });
});

test.for(['claude', 'either'])(
  'the model %s, without a stated context, does not accept it',
  async (model) => {
    stack = await openRelayStack({ unboundedInput: 'hold-context' });
    const response = await stack.ask(
      '/anthropic/v1/messages',
      messageWith(document(pdf), { model }),
    );
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('the model claude has no `contextTokens`');
    expect(stack.simulator.bill().total.calls).toBe(0);
  },
);

test('tools that run at the platform stay rejected', async () => {
  stack = await openRelayStack({ unboundedInput: 'hold-context' });
  const upload = messageWith({ type: 'container_upload', file_id: 'f' });
  const servers = messageWith(told, { mcp_servers: [{ type: 'url', url: url.url }] });
  for (const body of [upload, servers]) {
    expect((await stack.ask('/anthropic/v1/messages', body)).status).toBe(400);
  }
  const earlier = responseWith(told, { previous_response_id: 'resp_1' });
  expect((await stack.ask('/openai/v1/responses', earlier)).status).toBe(400);
});
