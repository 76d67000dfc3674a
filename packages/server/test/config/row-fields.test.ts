import { expect, test } from 'vitest';
import { configOf, problemsOf } from './load.ts';

const fileWith = (row: string) => `
company: acme
platforms:
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
  claude: { kind: anthropic, apiKey: sk-test }
  other: { kind: ai-sdk, package: some-provider }
models:
  - { id: a, ${row} }
`;

test('constants are read with their types, and counted', () => {
  const send = '{ top_k: 20, chat_template_kwargs: { enable_thinking: false, name: "1" } }';
  const [row] = configOf(fileWith(`platform: local, send: ${send}, passFields: [top_k]`)).models;
  const fields = { top_k: 20, chat_template_kwargs: { enable_thinking: false, name: '1' } };
  expect(row?.send?.fields).toEqual(fields);
  expect(row?.send?.tokensMax).toBe(2 * JSON.stringify(fields).length);
  expect(row?.passFields).toEqual(new Set(['top_k']));
});

test('characters that a tokenizer lengthens count with their maximum', () => {
  const [row] = configOf(fileWith('platform: local, send: { style: "\uFDFA" }')).models;
  const growth = Buffer.byteLength('\uFDFA'.normalize('NFKC'));
  expect(row?.send?.tokensMax).toBeGreaterThanOrEqual(2 * ('{"style":""}'.length + growth));
});

const written = [
  ...['model', 'messages', 'input', 'system', 'stream', 'max_tokens', 'max_completion_tokens'],
  ...['max_output_tokens', 'n', 'tools', 'tool_choice', 'functions', 'response_format', 'text'],
  ...['service_tier', 'speed', 'inference_geo', 'store', 'background', 'web_search_options'],
  ...['cache_control', 'prompt_cache_retention', 'context_management', 'mcp_servers', 'audio'],
  ...['chat_template', 'mm_processor_kwargs', 'guided_json', 'previous_response_id'],
];

test.each(written)('no row can name %s, which the gateway writes or prices', (name) => {
  expect(problemsOf(fileWith(`platform: local, send: { ${name}: 1 }`))).toEqual([
    expect.stringMatching(new RegExp(`^models\\[0\\]\\.send\\.${name}: is written or priced`)),
  ]);
  expect(problemsOf(fileWith(`platform: local, passFields: [${name}]`))).toEqual([
    expect.stringMatching(/^models\[0\]\.passFields\[0\]: .* a field that the gateway writes/),
  ]);
});

test.each(['provider', 'models', 'route', 'extra_body', 'options'])(
  'the operator can choose %s, and callers cannot',
  (name) => {
    expect(problemsOf(fileWith(`platform: local, send: { ${name}: x }`))).toEqual([]);
    expect(problemsOf(fileWith(`platform: local, passFields: [${name}]`))).toHaveLength(1);
  },
);

test.each([
  ['send: [top_k]', 'must be a section'],
  ['send: { __proto__: 1 }', 'must be a name of letters, digits and _.-'],
  ['send: { "a b": 1 }', 'must be a name of letters, digits and _.-'],
  [`send: { a: "${'x'.repeat(5_000)}" }`, 'the maximum is 4096'],
  [
    `send: { ${Array.from({ length: 65 }, (_, index) => `f${index}: 1`).join(', ')} }`,
    'takes at most 64',
  ],
  ['passFields: top_k', 'must be a list'],
  ['passFields: [top_k, top_k]', 'already'],
  ['passFields: ["a b"]', 'must be a name of letters, digits and _.-'],
  [
    `passFields: [${Array.from({ length: 65 }, (_, index) => `f${index}`).join(', ')}]`,
    'takes at most 64',
  ],
])('%s is rejected', (row, sentence) => {
  const [problem] = problemsOf(fileWith(`platform: local, ${row}`));
  expect(problem).toContain(sentence);
});

test.each(['send: { top_k: 1 }', 'passFields: [top_k]'])(
  'a package of the AI SDK writes its own requests: %s',
  (row) => {
    const [problem] = problemsOf(fileWith(`platform: other, ${row}`));
    expect(problem).toContain('use a platform of the kind openai-compatible');
  },
);
