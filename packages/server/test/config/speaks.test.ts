import { expect, test } from 'vitest';
import { pathFamilies } from '../../src/domain/platform-kinds/kind-facts.ts';
import { configOf, problemsOf } from './load.ts';

function fileWithRow(row: string): string {
  return `
company: acme
platforms:
  bedrock: { kind: bedrock-mantle, region: us-east-1 }
  sandbox: { kind: simulator }
  openai: { kind: openai, apiKey: sk-test }
  claude: { kind: anthropic, apiKey: sk-test }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
  other: { kind: ai-sdk, package: some-provider }
models:
  - { id: a, ${row} }
`;
}

const speaksOf = (row: string) => configOf(fileWithRow(row)).models[0]?.speaks;

const all = ['chat', 'responses', 'messages', ...pathFamilies].join(', ');

test.each(pathFamilies)('a model of mantle or the simulator can have the path %s', (path) => {
  for (const platform of ['bedrock', 'sandbox']) {
    expect(speaksOf(`platform: ${platform}, speaks: [${path}]`)).toEqual([path]);
    expect(speaksOf(`platform: ${platform}, pathFamily: ${path}`)).toEqual([path]);
  }
});

test('short words are paths, in the order of the row', () => {
  const paths = ['v1-responses', 'anthropic-v1-messages', 'v1-chat'];
  for (const platform of ['bedrock', 'sandbox']) {
    expect(speaksOf(`platform: ${platform}, speaks: [responses, messages, chat]`)).toEqual(paths);
  }
  expect(speaksOf('platform: bedrock, speaks: [openai-v1-responses, chat]')).toEqual([
    ...['openai-v1-responses', 'v1-chat'],
  ]);
});

test.each([
  ['openai', 'chat, responses', ['v1-chat', 'v1-responses']],
  ['openai', 'v1-responses', ['v1-responses']],
  ['local', 'chat', ['v1-chat']],
  ['local', 'responses, chat', ['v1-responses', 'v1-chat']],
  ['claude', 'messages', ['anthropic-v1-messages']],
])('a model of %s can support %s', (platform, words, paths) => {
  expect(speaksOf(`platform: ${platform}, speaks: [${words}]`)).toEqual(paths);
});

test.each(['sandbox', 'openai', 'claude', 'local', 'other'])(
  'a row of %s need not state its paths',
  (platform) => {
    expect(configOf(fileWithRow(`platform: ${platform}`)).models[0]).not.toHaveProperty('speaks');
  },
);

test('pathFamily is an alias of one word', () => {
  for (const word of ['responses', 'v1-responses']) {
    expect(speaksOf(`platform: openai, pathFamily: ${word}`)).toEqual(['v1-responses']);
  }
});

test.each([
  ['platform: bedrock', `speaks: is required on bedrock; list ${all}`],
  ['platform: bedrock, speaks: []', `speaks: is empty; list ${all}`],
  ['platform: openai, speaks: []', 'speaks: is empty; list chat, responses, v1-chat, v1-responses'],
  ['platform: openai, speaks: chat', 'speaks: must be a list, such as [a, b]'],
  [
    'platform: openai, speaks: [[chat]]',
    'speaks[0]: must be a single value, not a list or a section',
  ],
  ['platform: bedrock, speaks: [/v1]', `speaks[0]: must be one of ${all}; it is "/v1"`],
  ['platform: bedrock, pathFamily: /v1', `pathFamily: must be one of ${all}; it is "/v1"`],
  ['platform: nowhere, speaks: [grpc]', undefined],
  [
    'platform: openai, speaks: [chat, messages]',
    'speaks[1]: must be one of chat, responses, v1-chat, v1-responses; it is "messages"',
  ],
  [
    'platform: openai, pathFamily: openai-v1-chat',
    'pathFamily: must be one of chat, responses, v1-chat, v1-responses; it is "openai-v1-chat"',
  ],
  [
    'platform: local, speaks: [messages]',
    'speaks[0]: must be one of chat, responses; it is "messages"',
  ],
  [
    'platform: local, pathFamily: v1-chat',
    'pathFamily: must be one of chat, responses; it is "v1-chat"',
  ],
  ['platform: claude, speaks: [chat]', 'speaks[0]: must be one of messages; it is "chat"'],
  [
    'platform: other, speaks: [chat]',
    'speaks: the kind ai-sdk of other does not support it: its package decides',
  ],
  [
    'platform: openai, speaks: [chat, chat]',
    'speaks[1]: "chat" has the API format of models[0].speaks[0]; remove one of the two',
  ],
  [
    'platform: bedrock, speaks: [chat, openai-v1-chat]',
    'speaks[1]: "openai-v1-chat" has the API format of models[0].speaks[0]; remove one of the two',
  ],
  [
    'platform: openai, speaks: [chat], pathFamily: v1-chat',
    'pathFamily: is an alias of speaks; remove one of the two',
  ],
])('a row with %s is rejected', (row, problem) => {
  const problems = problemsOf(fileWithRow(row));
  if (problem === undefined) expect(problems.join()).toContain('models[0].platform');
  else expect(problems).toEqual([`models[0].${problem}`]);
});
