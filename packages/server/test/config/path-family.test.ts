import { expect, test } from 'vitest';
import { pathFamilies } from '../../src/domain/path-family.ts';
import { configOf, problemsOf } from './load.ts';

function fileWithRow(row: string): string {
  return `
company: acme
platforms:
  bedrock: { kind: bedrock-mantle, region: us-east-1 }
  sandbox: { kind: simulator }
  openai: { kind: openai, apiKey: sk-test }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
models:
  - { id: a, ${row} }
`;
}

test.each(pathFamilies)('a model of mantle may have the path family %s', (pathFamily) => {
  const { models } = configOf(fileWithRow(`platform: bedrock, pathFamily: ${pathFamily}`));
  expect(models[0]?.pathFamily).toBe(pathFamily);
});

test('a model of the simulator may have one, since it has the same paths', () => {
  expect(configOf(fileWithRow('platform: sandbox')).models[0]).not.toHaveProperty('pathFamily');
  const { models } = configOf(fileWithRow('platform: sandbox, pathFamily: openai-v1-chat'));
  expect(models[0]?.pathFamily).toBe('openai-v1-chat');
});

test('a model of OpenAI may be on responses; the other roots are Amazon’s', () => {
  const { models } = configOf(fileWithRow('platform: openai, pathFamily: v1-responses'));
  expect(models[0]?.pathFamily).toBe('v1-responses');
  expect(configOf(fileWithRow('platform: openai')).models[0]).not.toHaveProperty('pathFamily');
  expect(problemsOf(fileWithRow('platform: openai, pathFamily: openai-v1-responses'))).toEqual([
    'models[0].pathFamily: "openai-v1-responses" is none of v1-chat, v1-responses',
  ]);
});

test.each([
  ['platform: bedrock', `is required on bedrock; write one of ${pathFamilies.join(', ')}`],
  ['platform: bedrock, pathFamily: /v1', `"/v1" is none of ${pathFamilies.join(', ')}`],
  [
    'platform: local, pathFamily: v1-chat',
    'the kind openai-compatible of local takes no pathFamily',
  ],
])('a row with %s is refused', (row, problem) => {
  expect(problemsOf(fileWithRow(row))).toEqual([`models[0].pathFamily: ${problem}`]);
});
