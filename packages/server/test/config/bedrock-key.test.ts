import { expect, test } from 'vitest';
import { configOf, problemsOf } from './load.ts';

const file = `
company: acme
platforms:
  bedrock: { kind: bedrock-mantle, region: us-east-1 }
  named: { kind: bedrock-mantle, region: us-east-1, apiKey: a-key-of-its-own }
  minted: { kind: bedrock-mantle, region: us-east-1, apiKey: none }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1", apiKey: none }
`;

function keysWith(environment: Record<string, string>) {
  return configOf(file, environment).platforms.map(({ apiKey }) => apiKey);
}

test('the environment has the key of Bedrock platforms that name none', () => {
  const keys = keysWith({ AWS_BEARER_TOKEN_BEDROCK: 'key-of-the-environment' });
  expect(keys).toEqual(['key-of-the-environment', 'a-key-of-its-own', undefined, undefined]);
});

test('without one, or with an empty one, a key is created', () => {
  const keys = [undefined, 'a-key-of-its-own', undefined, undefined];
  expect(keysWith({})).toEqual(keys);
  expect(keysWith({ AWS_BEARER_TOKEN_BEDROCK: '' })).toEqual(keys);
});

test('it is not part of the comparison of two configurations', () => {
  const { hash } = configOf(file);
  expect(configOf(file, { AWS_BEARER_TOKEN_BEDROCK: 'key' }).hash).toBe(hash);
});

test('a region is still needed', () => {
  const text = 'company: acme\nplatforms: { bedrock: { kind: bedrock-mantle } }';
  expect(problemsOf(text, { AWS_BEARER_TOKEN_BEDROCK: 'key' })).toEqual([
    'platforms.bedrock.region: is required',
  ]);
});
