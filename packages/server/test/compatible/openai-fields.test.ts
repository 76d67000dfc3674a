import { describe, expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { complete, completionOf, expectOpenAiError, openAiYaml } from './support/openai.ts';

const on = { yaml: openAiYaml };

const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const text = { type: 'text', text: 'Hello, gateway!' };
const image = (url: string, more = {}) => ({ type: 'image_url', image_url: { url, ...more } });
const tool = (name: string, more = {}) => ({ type: 'function', function: { name, ...more } });
const call = (id: string, args = '{}') => ({
  ...{ id, type: 'function', function: { name: 'weather', arguments: args } },
});
const format = (more: object) => ({ response_format: more });

/** Accepted fields, with or without an effect. */
const taken: readonly (readonly [string, object])[] = [
  ['parts of text', user([text, { type: 'text', text: ' More.' }])],
  ['an image as a data: URL', user([text, image(pixel, { detail: 'low' })])],
  [
    'every role',
    {
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }], name: 'x' },
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hello', name: 'ada' },
        { role: 'assistant', content: null, refusal: 'No.', annotations: [], audio: null },
        { role: 'user', content: 'And the weather?' },
        { role: 'assistant', content: null, tool_calls: [call('a'), call('b', '')] },
        { role: 'tool', tool_call_id: 'b', content: [text] },
        { role: 'tool', tool_call_id: 'a', content: 'Rain' },
        { role: 'assistant', content: [text, { type: 'refusal', refusal: 'No.' }] },
        { role: 'user', content: 'Thanks' },
      ],
    },
  ],
  ['temperature and top_p', { temperature: 0.5, top_p: 0.5 }],
  ['a stop sequence', { stop: 'x' }],
  ['several of them', { stop: ['x', 'y', 'z', '1', '2', '3', '4', '5'] }],
  ['a tool without parameters', { tools: [tool('now')] }],
  ['a strict tool', { tools: [tool('now', { strict: true, parameters: {} })] }],
  ['tools that are not to be used', { tools: [tool('now')], tool_choice: 'none' }],
  ['one of the tools', { tools: [tool('a'), tool('b')], tool_choice: tool('b') }],
  ['any of the tools', { tools: [tool('a')], tool_choice: 'any' }],
  ['a choice by its type', { tools: [tool('a')], tool_choice: { type: 'auto' } }],
  ['no limit as -1', { max_tokens: -1, max_completion_tokens: -1 }],
  ['no tools', { tools: [], tool_choice: 'auto', parallel_tool_calls: true }],
  ['response_format text', format({ type: 'text' })],
  ['response_format json_object', format({ type: 'json_object' })],
  [
    'response_format json_schema',
    format({
      type: 'json_schema',
      json_schema: { name: 'a', schema: { type: 'object' }, strict: true, description: null },
    }),
  ],
  ['reasoning_effort', { reasoning_effort: 'low' }],
  ['seed and penalties', { seed: 7, frequency_penalty: -2, presence_penalty: 2 }],
  ['verbosity', { verbosity: 'low' }],
  ['n and best_of of 1', { n: 1, best_of: 1 }],
  ['no logprobs', { logprobs: false, top_logprobs: 0, logit_bias: {} }],
  ['service_tier auto', { service_tier: 'auto' }],
  ['service_tier default', { service_tier: 'default' }],
  ['store', { store: true }],
  ['metadata and caching', { metadata: { a: 'b' }, prompt_cache_key: 'k' }],
  ['prompt_cache_options', { prompt_cache_options: { mode: 'implicit', ttl: '30m' } }],
  ['prompt_cache_retention in-memory', { prompt_cache_retention: 'in-memory' }],
  ['modalities text', { modalities: ['text'] }],
  ['stream: false', { stream: false, stream_options: null }],
  ['null for nothing', { n: null, stop: null, tools: null, user: null, audio: null, seed: null }],
];

test.each(taken)(
  'accepts %s',
  onStack(async (stack, _name, more) => {
    const { status, text: said } = await complete(stack, completionOf('sim-echo', more));
    expect(status, said).toBe(200);
    expect(stack.simulator.bill().storedCalls).toBe(0);
  }, on),
);

const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
const raw = (body: string) => body;

/** Rejected bodies, and the field that the error names. */
const refused: readonly (readonly [string, object | string, string | undefined])[] = [
  [
    'a remote image',
    user([image('https://a.example/a.png')]),
    'messages[0].content[0].image_url.url',
  ],
  [
    'an image of no type',
    user([image('data:;base64,AAAA')]),
    'messages[0].content[0].image_url.url',
  ],
  ['audio in', user([{ type: 'input_audio', input_audio: {} }]), 'messages[0].content[0].type'],
  ['a file', user([{ type: 'file', file: {} }]), 'messages[0].content[0].type'],
  ['n: 2', { n: 2 }, 'n'],
  ['best_of: 2', { best_of: 2 }, 'best_of'],
  ['an unknown role', { messages: [{ role: 'function', content: 'x' }] }, 'messages[0].role'],
  ['no messages', { messages: [] }, 'messages'],
  [
    'a tool without a name',
    { tools: [{ type: 'function', function: {} }] },
    'tools[0].function.name',
  ],
  ['a tool of another type', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  ['a tool given twice', { tools: [tool('a'), tool('a')] }, 'tools[1].function.name'],
  ['a choice without tools', { tool_choice: 'required' }, 'tool_choice'],
  [
    'a choice of none of the tools',
    { tools: [tool('a')], tool_choice: tool('b') },
    'tool_choice.function.name',
  ],
  ['another response_format', format({ type: 'grammar' }), 'response_format.type'],
  ['service_tier priority', { service_tier: 'priority' }, 'service_tier'],
  ['service_tier flex', { service_tier: 'flex' }, 'service_tier'],
  ['audio out', { modalities: ['audio'] }, 'modalities'],
  ['audio', { audio: { voice: 'x' } }, 'audio'],
  ['prediction', { prediction: { type: 'content', content: 'x' } }, 'prediction'],
  ['web_search_options', { web_search_options: {} }, 'web_search_options'],
  ['logprobs', { logprobs: true }, 'logprobs'],
  ['top_logprobs', { top_logprobs: 3 }, 'top_logprobs'],
  ['logit_bias', { logit_bias: { 50256: -100 } }, 'logit_bias'],
  ['prompt_cache_options 12h', { prompt_cache_options: { ttl: '12h' } }, 'prompt_cache_options'],
  ['an explicit cache', { prompt_cache_options: { mode: 'explicit' } }, 'prompt_cache_options'],
  ['prompt_cache_retention 24h', { prompt_cache_retention: '24h' }, 'prompt_cache_retention'],
  ['nine stop sequences', { stop: [...'123456789'] }, 'stop'],
  ['max_tokens 0', { max_tokens: 0 }, 'max_tokens'],
  ['temperature 3', { temperature: 3 }, 'temperature'],
  ['another reasoning_effort', { reasoning_effort: 'huge' }, 'reasoning_effort'],
  ['an unknown field', { top_k: 5 }, 'top_k'],
  [
    'an unknown field within',
    { messages: [{ role: 'user', content: 'x', cache: 1 }] },
    'messages[0].cache',
  ],
  ['functions', { functions: [{ name: 'a' }] }, 'functions'],
  ['a user that is no text', { user: 7 }, 'user'],
  [
    'arguments with a number that is too long',
    {
      messages: [
        ...completionOf().messages,
        { role: 'assistant', tool_calls: [call('a', `{"a":${'9'.repeat(401)}`)] },
      ],
    },
    'messages[1].tool_calls[0].function.arguments',
  ],
  [
    'a result of no call',
    { messages: [{ role: 'tool', tool_call_id: 'a', content: 'x' }] },
    'messages[0].tool_call_id',
  ],
  [
    'calls without results',
    {
      messages: [
        { role: 'assistant', tool_calls: [call('a')] },
        { role: 'user', content: 'x' },
      ],
    },
    'messages[1]',
  ],
  ['an assistant that says nothing', { messages: [{ role: 'assistant' }] }, 'messages[0]'],
  ['no JSON', raw('{"model":'), undefined],
  ['nothing', raw(''), undefined],
  ['a list', raw('[]'), undefined],
  ['a name twice', raw('{"model":"sim-echo","model":"sim-echo","messages":[]}'), 'model'],
  [
    'half a surrogate pair',
    raw('{"model":"sim-echo","messages":[{"role":"user","content":"\\ud800"}]}'),
    'messages[0].content',
  ],
  [
    'too many levels',
    raw(`{"model":"sim-echo","messages":[{"role":"user","content":${deep}}]}`),
    'messages[0].content[0][0][0][0][0]',
  ],
];

test.each(refused)(
  'rejects %s, and names the field',
  onStack(async (stack, _name, more, param) => {
    const body = typeof more === 'string' ? more : completionOf('sim-echo', more);
    expectOpenAiError(await complete(stack, body), {
      ...{ status: 400, type: 'invalid_request_error', code: 'INVALID', name: 'INVALID' },
      ...(param === undefined ? {} : { param }),
    });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  }, on),
);

test(
  'ignores unknown fields if configured, and still rejects fields with a cost',
  onStack(
    async (stack) => {
      const messages = [{ role: 'user', content: [{ ...text, cache_control: {} }], x: 1 }];
      const odd = completionOf('sim-echo', { messages, top_k: 5, functions: [] });
      expect((await complete(stack, odd)).status).toBe(200);
      expectOpenAiError(await complete(stack, completionOf('sim-echo', { n: 2 })), {
        ...{ status: 400, type: 'invalid_request_error', code: 'INVALID', name: 'INVALID' },
        ...{ param: 'n', says: ['multiply the cost'] },
      });
    },
    { yaml: openAiYaml.replace('openai: true', 'openai: true, unknownFields: ignore') },
  ),
);

describe('input that a wire format cannot express', () => {
  const families = `${openAiYaml}models:
  - { id: sim-responses-only, platform: sandbox, pathFamily: v1-responses }
  - { id: sim-messages-only, platform: sandbox, pathFamily: anthropic-v1-messages }
  - { id: sim-echo, platform: sandbox, structuredOutput: tool }
`;
  const schema = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } };
  const cases: readonly (readonly [string, object, string])[] = [
    ['sim-responses-only', { seed: 1 }, 'seed'],
    ['sim-responses-only', { stop: 'x' }, 'stop'],
    ['sim-responses-only', { frequency_penalty: 1 }, 'frequency_penalty'],
    ['sim-responses-only', { presence_penalty: 1 }, 'presence_penalty'],
    ['sim-messages-only', { seed: 1 }, 'seed'],
    ['sim-messages-only', { verbosity: 'low' }, 'verbosity'],
    ['sim-messages-only', format({ type: 'json_object' }), 'response_format'],
    [
      'sim-messages-only',
      { tools: [tool('a'), tool('b', { strict: true })] },
      'tools[1].function.strict',
    ],
    ['sim-echo', format(schema), 'response_format'],
  ];

  test.each(cases)(
    'of %s is rejected before any reservation: %j',
    onStack(
      async (stack, model, more, param) => {
        expectOpenAiError(await complete(stack, completionOf(model, more)), {
          ...{ status: 400, type: 'invalid_request_error', code: 'INVALID', name: 'INVALID' },
          ...{ param, says: [model] },
        });
        await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
      },
      { yaml: families },
    ),
  );
});

describe('the limit of output', () => {
  const limits = `${openAiYaml.replace('openai: true', 'openai: true, defaultMaxTokens: 300')}
models:
  - { id: small, platform: sandbox, upstreamModel: sim-echo, maxOutputTokens: 50, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: own, platform: sandbox, upstreamModel: sim-echo, defaultMaxTokens: 200, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
`.replace('name: tutor,', 'name: tutor, defaultMaxTokens: 250,');
  const cases: readonly (readonly [string, string, object, string])[] = [
    ['search', 'sim-echo', {}, '300'],
    ['search', 'sim-echo', { max_tokens: 7 }, '7'],
    ['search', 'sim-echo', { max_tokens: 7, max_completion_tokens: 9 }, '9'],
    ['search', 'sim-echo', { max_tokens: 9, max_completion_tokens: 7 }, '9'],
    ['search', 'sim-echo', { max_tokens: null, max_completion_tokens: 7 }, '7'],
    ['search', 'sim-echo', { max_tokens: 1_000_000 }, '16384'],
    ['search', 'small', {}, '50'],
    ['search', 'own', {}, '200'],
    ['tutor', 'own', { user: 'ada' }, '200'],
    ['tutor', 'sim-echo', { user: 'ada' }, '250'],
  ];

  test.each(cases)(
    'of %s for %s with %j is %s, as its header says',
    onStack(
      async (stack, app, model, more, wanted) => {
        const { headers, status } = await complete(stack, completionOf(model, more), { app });
        expect([status, headers.get('x-max-tokens-applied')]).toEqual([200, wanted]);
      },
      { yaml: limits },
    ),
  );
});

describe('the user', () => {
  const wallets = async (stack: Stack) => {
    const rows = await stack.store.read({
      ...{ sql: 'select user_id from call order by user_id', values: [] },
      map: (found) => found.map(({ user_id: id }) => String(id)),
    });
    return rows;
  };

  test(
    'is the header’s, else the fields’, else the metadata’s, and an app with wallets needs one',
    onStack(async (stack) => {
      const everywhere = {
        ...{ user: 'by-user', safety_identifier: 'by-safety', metadata: { user_id: 'by-meta' } },
      };
      const cases: readonly (readonly [object, Record<string, string>, string])[] = [
        [everywhere, { 'x-user-id': 'by-header' }, 'by-header'],
        [everywhere, {}, 'by-user'],
        [{ ...everywhere, user: undefined }, {}, 'by-safety'],
        [{ metadata: { user_id: 'by-meta' } }, {}, 'by-meta'],
      ];
      for (const [more, headers] of cases) {
        const met = await complete(stack, completionOf('sim-echo', more), {
          app: 'tutor',
          headers,
        });
        expect(met.status, met.text).toBe(200);
      }
      const wanted = cases.map(([, , id]) => id);
      expect(await wallets(stack)).toEqual(wanted.toSorted());
      const none = [{}, { metadata: { user_id: 'x'.repeat(150) } }, { metadata: { user_id: 7 } }];
      for (const more of none) {
        expectOpenAiError(await complete(stack, completionOf('sim-echo', more), { app: 'tutor' }), {
          ...{ status: 400, type: 'invalid_request_error', code: 'USER_REQUIRED' },
          ...{ param: 'user', name: 'USER_REQUIRED' },
        });
      }
      for (const [more, headers, param] of [
        [{ user: 'a/b' }, {}, 'user'],
        [{ safety_identifier: '..' }, {}, 'safety_identifier'],
        [everywhere, { 'x-user-id': 'x'.repeat(129) }, 'x-user-id'],
      ] as const) {
        const met = await complete(stack, completionOf('sim-echo', more), {
          app: 'tutor',
          headers,
        });
        expectOpenAiError(met, {
          ...{
            status: 400,
            type: 'invalid_request_error',
            code: 'INVALID',
            name: 'INVALID',
            param,
          },
        });
      }
    }, on),
  );
});
