import { beforeEach, describe, expect, test } from 'vitest';
import { expectBooks, paid } from '../support/books.ts';
import { send } from '../support/exchange.ts';
import { sharedStack } from '../support/shared-stack.ts';

// Fields that vendors accept in more than one form.

let sent: readonly string[] = [];
beforeEach(() => {
  sent = [];
});
const prices = 'images: true, inputUsdPerMillion: "1", outputUsdPerMillion: "2"';
const shared = sharedStack({
  yaml: `
company: acme
store: sqlite:./gateway.db
streaming: true
ingress: { openai: true, anthropic: true }
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: users, dailyBudgetUsd: "5", perUserDailyUsd: "1" }
models:
  - { id: chat, platform: sandbox, upstreamModel: sim-echo, ${prices} }
  - { id: gpt, platform: sandbox, upstreamModel: sim-echo, pathFamily: v1-responses, ${prices} }
  - { id: claude, platform: sandbox, upstreamModel: sim-echo, pathFamily: anthropic-v1-messages, ${prices} }
  - { id: embed, platform: sandbox, upstreamModel: sim-embed, kind: embeddings, inputUsdPerMillion: "0.02" }
`,
  script: ({ bodyText }) => {
    sent = [...sent, bodyText];
    return undefined;
  },
});

const chats = '/openai/v1/chat/completions';
const responses = '/openai/v1/responses';
const messages = '/anthropic/v1/messages';
const embeddings = '/openai/v1/embeddings';
const models: Readonly<Record<string, string>> = {
  ...{ [chats]: 'chat', [responses]: 'gpt', [messages]: 'claude', [embeddings]: 'embed' },
};
const hello = { messages: [{ role: 'user', content: 'Hello' }] };

async function ask(path: string, body: object, given?: string) {
  const { stack, newApp } = shared();
  const app = given ?? (await newApp());
  const authorization = `Bearer ${await stack.key(app)}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const text = JSON.stringify({ model: models[path], ...body });
  return { app, met: await send(stack, path, { method: 'POST', headers, body: text }) };
}

const upper = 'data:IMAGE/Png;charset=utf-8;base64,iVBORw0KGgo=';
const image = { type: 'image', source: { type: 'base64', media_type: 'Image/PNG', data: 'AAAA' } };
const tools = (count: number, more: object) =>
  Array.from({ length: count }, (_, index) => Object.assign({ name: `tool-${index}` }, more));
const allowed = (mode: string, list: unknown) => ({
  ...{ type: 'allowed_tools', allowed_tools: { mode, tools: list } },
});
const nested = (count: number) =>
  tools(count, {}).map((called) => ({ type: 'function', function: called }));

const accepted: readonly (readonly [string, string, object, string])[] = [
  [
    'an image of any case',
    chats,
    {
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: upper, detail: null } }] },
      ],
    },
    '"data:image/png;base64,iVBORw0KGgo="',
  ],
  [
    'an image of any case',
    responses,
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: upper }] }] },
    '"data:image/png;base64,iVBORw0KGgo="',
  ],
  [
    'an image of any case',
    messages,
    { max_tokens: 9, messages: [{ role: 'user', content: [image] }] },
    '"media_type":"image/png"',
  ],
  [
    'a choice among some of the tools',
    chats,
    { ...hello, tools: nested(3), tool_choice: allowed('auto', [nested(2)[1]]) },
    '"tools":[{"type":"function","function":{"name":"tool-1"',
  ],
  [
    'a choice of all tools, one of which is needed',
    chats,
    { ...hello, tools: nested(2), tool_choice: allowed('required', nested(2)) },
    '"tool_choice":"required"',
  ],
  ['500 tools', chats, { ...hello, tools: nested(500) }, 'tool-499'],
  [
    '500 tools',
    responses,
    { input: 'Hello', tools: tools(500, { type: 'function', parameters: {}, strict: false }) },
    'tool-499',
  ],
  [
    '500 tools',
    messages,
    { ...hello, max_tokens: 9, tools: tools(500, { input_schema: { type: 'object' } }) },
    'tool-499',
  ],
  [
    'null',
    embeddings,
    { input: 'a', user: null, dimensions: null, encoding_format: null },
    '"input":["a"]',
  ],
  ['a label as user', chats, { ...hello, user: 'team/ada' }, 'Hello'],
  ['a label as user', responses, { input: 'Hello', user: 'u'.repeat(200) }, 'Hello'],
  ['no user', embeddings, { input: 'a', user: '' }, '"input":["a"]'],
];

test.each(accepted)('accepts %s: %s', async (_, path, body, text) => {
  const { met } = await ask(path, body);
  expect(met.status, met.text).toBe(200);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain(text);
});

test.each([
  [
    'a label as user of an app with budgets of users',
    chats,
    { ...hello, user: 'team/ada' },
    'user',
  ],
  ['no mode', chats, { ...hello, tools: nested(1), tool_choice: allowed('x', []) }, 'tool_choice'],
  [
    'a choice of a tool that is not there',
    chats,
    { ...hello, tools: nested(1), tool_choice: allowed('auto', nested(2)) },
    'tool_choice',
  ],
  ['501 tools', chats, { ...hello, tools: nested(501) }, 'tools'],
  ['a token that is none', embeddings, { input: [1, -1] }, 'input'],
  ['tokens next to a text', embeddings, { input: [[1], 'a'] }, 'input'],
  ['no token', embeddings, { input: [[]] }, 'input'],
])('rejects %s', async (_, path, body, param) => {
  const { met } = await ask(path, body, 'users');
  expect([met.status, Object(met.body).error.param.startsWith(param)]).toEqual([400, true]);
  expect(sent).toEqual([]);
});

describe('tokens in place of texts', () => {
  test.each([
    ['one list', [5, 6, 7], [[5, 6, 7]]],
    ['a list for each text', [[5, 6, 7], [8]], [[5, 6, 7], [8]]],
  ])('are sent unchanged, and paid: %s', async (_, input, list) => {
    const { app, met } = await ask(embeddings, { input });
    expect(met.status, met.text).toBe(200);
    expect(JSON.parse(sent[0] ?? '').input).toEqual(list);
    expect(Object(met.body).data).toHaveLength(list.length);
    const costUsd = met.headers.get('x-cost-usd') ?? '';
    await expectBooks(shared().stack, app, { calls: [paid(costUsd)], billedUsd: costUsd });
  });

  test('are reserved by their count, for any digits', async () => {
    const { newApp } = shared();
    const reserved = async (input: readonly number[]) => {
      const app = await newApp({ dailyBudgetPicoUsd: 1n });
      const { met } = await ask(embeddings, { input }, app);
      return /could cost \$(\d+\.\d+)/.exec(met.text)?.[1];
    };
    const short = await reserved([1, 2, 3]);
    expect(short).toBe(await reserved([100_001, 100_002, 100_003]));
    expect(Number(await reserved([1, 2, 3, 4])) - Number(short)).toBeCloseTo(2e-8, 12);
  });
});

test.each([false, true])('the cost is in the usage; streamed: %s', async (stream) => {
  const { met } = await ask(chats, { ...hello, stream, stream_options: { include_usage: true } });
  const usage = stream
    ? JSON.parse(/data: (\{[^\n]*"choices":\[\],[^\n]*)/.exec(met.text)?.[1] ?? '{}').usage
    : Object(met.body).usage;
  const { cost, cost_usd, cost_estimated } = usage;
  expect(cost_usd).toMatch(/^0\.\d+$/);
  expect([cost, cost_estimated]).toEqual([Number(cost_usd), false]);
});
