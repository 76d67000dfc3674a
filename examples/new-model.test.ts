import { afterAll, beforeAll, expect, test } from 'vitest';
import { utcDayOf } from '../packages/server/src/lib/clock.ts';
import {
  type SpokenPlatform,
  startSpokenPlatform,
} from '../packages/server/test/calls/support/spoken-platform.ts';
import { expectClean, readCalls } from '../packages/server/test/support/books.ts';
import { startServer, type TestServer } from '../packages/server/test/support/server.ts';
import { codeBlocks, readRepositoryFile } from './testing/markdown.ts';

// The five lines of docs/configuration.md that add a model: it is priced and called by both APIs.

const blocks = codeBlocks(readRepositoryFile('docs/configuration.md'), 'yaml');
const yaml = blocks.find((block) => block.includes('id: gpt-7')) ?? '';

let platform: SpokenPlatform;
let server: TestServer;
let inputTokens = 0;

beforeAll(async () => {
  platform = await startSpokenPlatform(({ path }) => ({
    whole: path.endsWith('/responses') ? response() : completion(),
    events: [],
  }));
  const own = yaml.replace('kind: openai', `kind: openai, baseUrl: "${platform.baseUrl}"`);
  const apps = 'apps: [{ name: search, dailyBudgetUsd: "50", projects: { openai: proj_1 } }]';
  server = await startServer({
    yaml: `${own}ingress: { openai: true }\nstore: sqlite:./gateway.db\n${apps}\n`,
  });
});
afterAll(async () => {
  await server.close();
  platform.close();
});

function completion() {
  return {
    ...{ id: 'chatcmpl_1', object: 'chat.completion', service_tier: 'default' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: inputTokens, completion_tokens: 100 },
  };
}

function response() {
  const content = [{ type: 'output_text', text: 'Hi.', annotations: [] }];
  return {
    ...{ id: 'resp_1', object: 'response', status: 'completed', service_tier: 'default' },
    output: [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }],
    usage: { input_tokens: inputTokens, output_tokens: 100, total_tokens: inputTokens + 100 },
  };
}

const text = 'x'.repeat(1_000_000);
const requests = {
  'chat/completions': { max_tokens: 100, messages: [{ role: 'user', content: text }] },
  responses: { max_output_tokens: 100, input: text },
};

test('the row has five lines', () => {
  const [, row = ''] = yaml.split('models:\n');
  expect(row.trimEnd().split('\n')).toHaveLength(5);
});

test.each([
  ['chat/completions', 272_000, 272_000n * 2n + 1_000n],
  ['chat/completions', 272_001, 272_001n * 4n + 1_500n],
  ['responses', 272_000, 272_000n * 2n + 1_000n],
  ['responses', 272_001, 272_001n * 4n + 1_500n],
] as const)('%s with %i tokens of input', async (path, input, microUsd) => {
  inputTokens = input;
  const answer = await fetch(`${server.url}/openai/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await server.key('search')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'gpt-7', ...requests[path] }),
  });
  expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: 200 });
  const call = (await readCalls(server.store, 'search', utcDayOf(server.clock.now()))).at(-1);
  expect(call).toMatchObject({ cost: microUsd * 1_000_000n, basis: 'exact' });
  await expectClean(server);
});
