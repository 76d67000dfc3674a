import { expect, test } from 'vitest';
import { configOf, problemsOf } from './load.ts';

const yaml = (rows: string) => `
company: acme
platforms:
  sandbox: { kind: simulator }
  claude: { kind: anthropic, apiKey: none }
models:
${rows}
`;

const row = '  - { id: small, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }';

test('an embedding model needs only the price of its input', () => {
  expect(configOf(yaml(row)).models).toMatchObject([
    { kind: 'embeddings', prices: [{ inputPicoUsd: 20_000n, outputPicoUsd: 0n }] },
  ]);
});

test('a chat model needs both, as usual, and has no kind', () => {
  expect(problemsOf(yaml(row.replace('kind: embeddings', 'kind: chat')))).toEqual([
    'models[0].inputUsdPerMillion: a price also requires outputUsdPerMillion',
  ]);
  const [model] = configOf(yaml('  - { id: small, platform: sandbox, kind: chat }')).models;
  expect(model).not.toHaveProperty('kind');
});

test('a platform without embeddings has no embedding model', () => {
  expect(problemsOf(yaml(row.replace('sandbox', 'claude')))).toEqual([
    'models[0].kind: the kind anthropic of claude does not support embeddings; use a platform of the kind openai, openai-compatible, simulator',
  ]);
});

test('a kind is one of two', () => {
  expect(problemsOf(yaml(row.replace('embeddings', 'images')))).toContain(
    'models[0].kind: must be one of chat, embeddings; it is "images"',
  );
});
