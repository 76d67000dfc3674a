import { beforeEach, describe, expect, test } from 'vitest';
import { expectClean, heldBy } from '../support/books.ts';
import { type Exchange, send } from '../support/exchange.ts';
import { sharedStack } from '../support/shared-stack.ts';

// Past messages are part of every turn, and no caller can omit them. They are accepted, and
// `x-dropped-fields` lists the fields that cannot be sent. The last turn is read strictly.

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
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
  - { id: chat, platform: sandbox, upstreamModel: sim-echo, ${prices} }
  - { id: gpt, platform: sandbox, upstreamModel: sim-echo, pathFamily: v1-responses, ${prices} }
  - { id: claude, platform: sandbox, upstreamModel: sim-echo, pathFamily: anthropic-v1-messages, ${prices} }
`,
  script: ({ bodyText }) => {
    sent = [...sent, bodyText];
    return undefined;
  },
});

const chats = '/openai/v1/chat/completions';
const responses = '/openai/v1/responses';
const messages = '/anthropic/v1/messages';

async function ask(path: string, body: object): Promise<Exchange> {
  const { stack } = shared();
  const newApp = await shared().newApp();
  const authorization = `Bearer ${await stack.key(newApp)}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const exchange = await send(stack, path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(await heldBy(stack.store, newApp)).toBe(0);
  await expectClean(stack);
  return exchange;
}

const hello = { role: 'user', content: 'Hello' };
const goOn = { role: 'user', content: 'And now?' };
const said = { role: 'assistant', content: 'Hello.' };
const pdf = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
};
const call = (args: unknown, more: object = {}) => ({
  ...{ id: 'c1', type: 'function', function: { name: 'weather', arguments: args } },
  ...more,
});
const turn = (args: unknown, callMore: object = {}, resultMore: object = {}) => [
  hello,
  { role: 'assistant', content: null, tool_calls: [call(args, callMore)] },
  { role: 'tool', tool_call_id: 'c1', content: 'Rain', ...resultMore },
];
const inputText = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] });

interface Row {
  readonly is: string;
  readonly path: string;
  readonly model: string;
  readonly body: object;
  /** The header that lists the omitted fields; undefined for none. */
  readonly dropped?: string;
  /** Texts that the platform receives, and texts that it does not. */
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
}

const chat = (is: string, list: readonly object[], more: Partial<Row> = {}): Row => {
  return { is, path: chats, model: 'chat', body: { messages: list }, ...more };
};
const item = (is: string, input: readonly object[], more: Partial<Row> = {}): Row => {
  return { is, path: responses, model: 'gpt', body: { input }, ...more };
};
const block = (is: string, list: readonly object[], more: Partial<Row> = {}): Row => {
  return { is, path: messages, model: 'claude', body: { max_tokens: 50, messages: list }, ...more };
};

const broken = '{"city": "Ulm';
const accepted: readonly Row[] = [
  chat('the name of a result', turn('{}', {}, { name: 'weather' }), {
    has: ['"name":"weather","content":"Rain"'],
  }),
  chat('the name of a result, on another wire', turn('{}', {}, { name: 'weather' }), {
    ...{ model: 'claude', dropped: 'messages[2].name' },
  }),
  chat('a result without content', turn('{}', {}, { content: null })),
  chat('an answer without content', [hello, { role: 'assistant', content: null }, goOn]),
  chat('messages without parts', [
    { role: 'system', content: [] },
    { ...hello, content: [] },
    { ...said, content: [] },
    goOn,
  ]),
  chat('arguments that are not JSON', turn(broken), { has: [JSON.stringify(broken)] }),
  chat('arguments that are not JSON, on responses', turn(broken), {
    ...{ model: 'gpt', has: [`"arguments":${JSON.stringify(broken)}`] },
  }),
  chat('arguments that are not JSON, on messages', turn(broken), {
    ...{ model: 'claude', has: [`"input":{"INVALID_JSON":${JSON.stringify(broken)}}`] },
  }),
  chat('arguments that are no object, on messages', turn('[1]'), {
    ...{ model: 'claude', has: ['"input":{"INVALID_JSON":"[1]"}'] },
  }),
  chat('arguments that are a value', turn({ city: 'Ulm' }), {
    has: [JSON.stringify('{"city":"Ulm"}')],
  }),
  chat('a call without a type, with its index', turn('{}', { type: undefined, index: 0 }), {
    dropped: 'messages[1].tool_calls[0].index',
  }),
  chat(
    'a field that is not known',
    [hello, { ...said, mood: 'Hm.' }, { ...said, mood: 'Hm.' }, goOn],
    {
      ...{ dropped: 'messages[1].mood', lacks: ['Hm.'] },
    },
  ),
  chat('the same of the last turn', [{ ...hello, id: 'm1', timestamp: 1 }], {
    dropped: 'messages[0].id, messages[0].timestamp',
  }),
  chat(
    'a part that is not known',
    [{ role: 'user', content: [{ type: 'video_url', video_url: { url: 'x' } }] }, said, goOn],
    {
      ...{ dropped: 'messages[0].content[0]', has: ['[left out]'], lacks: ['video_url'] },
    },
  ),
  chat(
    'a file and a remote image',
    [
      {
        role: 'user',
        content: [
          { type: 'file', file: { file_data: 'x' } },
          { type: 'image_url', image_url: { url: 'https://a.example/a.png' } },
        ],
      },
      ...[said, goOn],
    ],
    { dropped: 'messages[0].content[0]', lacks: ['file_data', 'a.example'] },
  ),
  chat(
    'an image in a past result',
    [
      ...turn(
        '{}',
        {},
        { content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
      ),
      said,
      goOn,
    ],
    {
      ...{ dropped: 'messages[2].content[0]', has: ['[left out]'] },
    },
  ),
  ...[
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
    { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { query: 'x' } },
    {
      type: 'tool_search_output',
      call_id: 'c1',
      tools: [{ type: 'function', name: 'f', parameters: {} }],
    },
    {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'x' },
    },
    { type: 'shell_call', call_id: 'c1', action: { commands: ['ls'] } },
    { type: 'shell_call_output', call_id: 'c1', output: [{ stdout: '', stderr: '' }] },
    {
      type: 'apply_patch_call',
      call_id: 'c1',
      operation: { type: 'update_file', path: 'a', diff: '' },
    },
    { type: 'apply_patch_call_output', call_id: 'c1', status: 'completed' },
    {
      type: 'message',
      id: 'not-ours',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hi' }],
    },
  ].map((each) =>
    item(`the item ${each.type} of another turn`, [inputText('Hello'), each, inputText('More')], {
      has: [JSON.stringify(each)],
    }),
  ),
  item('a compaction that is asked for', [inputText('Hello'), { type: 'compaction_trigger' }], {
    has: ['"compaction_trigger"'],
  }),
  item(
    'an item that is not known',
    [
      inputText('Hello'),
      { type: 'robot_call', call_id: 'c' },
      { type: 'robot_state' },
      inputText('More'),
    ],
    {
      ...{ dropped: 'input[1]', lacks: ['robot_'] },
    },
  ),
  item(
    'the call of a tool that is not known, in the last turn',
    [inputText('Hello'), { type: 'robot_call' }],
    {
      ...{ dropped: 'input[1]', lacks: ['robot_call'] },
    },
  ),
  item(
    'parts of past messages',
    [
      { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] },
      { role: 'assistant', content: [{ type: 'output_video', url: 'x' }] },
      inputText('More'),
    ],
    {
      dropped: 'input[0].content[0]',
      has: [
        '{"type":"input_text","text":"[left out]"}',
        '{"type":"output_text","text":"[left out]"}',
      ],
    },
  ),
  item(
    'a field of an item that is not known',
    [
      inputText('Hello'),
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{', wild: 1 },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ],
    {
      ...{ dropped: 'input[1].wild', has: ['"arguments":"{"'], lacks: ['wild'] },
    },
  ),
  block('pages', [{ role: 'user', content: [pdf] }, said, goOn], {
    ...{
      dropped: 'messages[0].content[0]',
      has: ['{"type":"text","text":"[left out]"}'],
      lacks: ['JVBERi0='],
    },
  }),
  block(
    'pages within a result',
    [
      hello,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [pdf] }] },
      ...[said, goOn],
    ],
    { dropped: 'messages[2].content[0].content[0]', lacks: ['JVBERi0='] },
  ),
  block(
    'blocks and fields that are not known',
    [
      hello,
      {
        ...said,
        content: [
          { type: 'text', text: 'a', mood: 'x' },
          { type: 'dream', text: 'b' },
        ],
        x: 1,
      },
      goOn,
    ],
    {
      dropped: 'messages[1].content[0].mood, messages[1].content[1], messages[1].x',
      lacks: ['dream', 'mood'],
    },
  ),
  block(
    'a search of an earlier turn',
    [
      hello,
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's1',
            content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: 'e' }],
          },
        ],
      },
      goOn,
    ],
    { has: ['"server_tool_use"', '"encrypted_content":"e"'] },
  ),
  block('the id of a message', [{ ...hello, id: 'x' }], {
    dropped: 'messages[0].id',
    lacks: ['"id":"x"'],
  }),
];

describe.each([false, true])('history is lenient; streamed: %s', (stream) => {
  test.each(accepted)(
    '$path accepts $is',
    async ({ path, model, body, dropped, has = [], lacks = [] }) => {
      const exchange = await ask(path, { model, ...body, stream });
      expect(exchange.status, exchange.text).toBe(200);
      expect(exchange.headers.get('x-dropped-fields')).toBe(dropped ?? null);
      expect(sent).toHaveLength(1);
      for (const text of has) expect(sent[0]).toContain(text);
      for (const text of lacks) expect(sent[0]).not.toContain(text);
    },
  );
});

const refused: readonly (Row & { readonly param: string })[] = [
  {
    ...chat('a part that is not known', [{ role: 'user', content: [{ type: 'video_url' }] }]),
    param: 'messages[0].content[0].type',
  },
  {
    ...chat('a file', [hello, said, { role: 'user', content: [{ type: 'file', file: {} }] }]),
    param: 'messages[2].content[0].type',
  },
  { ...chat('a field', [hello, said, { ...hello, mood: 'x' }]), param: 'messages[2].mood' },
  {
    ...chat('numbers that are too long', turn(`{"a":${'9'.repeat(401)}`)),
    param: 'messages[1].tool_calls[0].function.arguments',
  },
  {
    ...item('an item that is not known', [inputText('x'), { type: 'robot_state' }]),
    param: 'input[1].type',
  },
  {
    ...item('a file', [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }]),
    param: 'input[0].content[0]',
  },
  {
    ...item('an earlier item of the platform', [
      { type: 'item_reference', id: 'i' },
      inputText('x'),
    ]),
    param: 'input[0]',
  },
  {
    ...block('pages', [hello, said, { role: 'user', content: [pdf] }]),
    param: 'messages[2].content[0].source',
  },
  {
    ...block('citations of a past document', [
      {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'text', data: 'x' }, citations: { enabled: true } },
        ],
      },
      said,
      goOn,
    ]),
    param: 'messages[0].content[0].citations.enabled',
  },
];

test.each(refused)('$path rejects $is in new messages, or with another price', async (row) => {
  const { path, model, body, param } = row;
  const exchange = await ask(path, { model, ...body });
  expect(exchange.status).toBe(400);
  expect(exchange.text).toContain(param);
  expect(sent).toEqual([]);
});

test('names each kind of 5,000 turns once, in at most 1,024 characters', async () => {
  const wild = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`wild-\u00fc${n}${'x'.repeat(40)}`, n]),
  );
  const turns = Array.from({ length: 2_000 }, () => [hello, { ...said, mood: 'x' }]).flat();
  const few = await ask(chats, { model: 'chat', messages: [...turns, goOn] });
  expect(few.headers.get('x-dropped-fields')).toBe('messages[1].mood');
  const many = await ask(chats, { model: 'chat', messages: [hello, { ...said, ...wild }, goOn] });
  const header = many.headers.get('x-dropped-fields') ?? '';
  expect(header).toMatch(/^messages\[1\]\.wild-%C3%BC0x+, .*, %E2%80%A6$/);
  expect(header.length).toBeLessThanOrEqual(1_024 + 11);
});
