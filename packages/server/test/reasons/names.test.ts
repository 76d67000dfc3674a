import { readdirSync, readFileSync } from 'node:fs';
import { errorReasons } from '@model-gateway/contract';
import type { RawReply } from '@model-gateway/simulator';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { ApiNames, NamedCall } from '../../src/calls/model/api-names.ts';
import { failureOf, notStreamable, streamTimeoutOf } from '../../src/calls/model/failure.ts';
import type { OperationName } from '../../src/calls/model/operation.ts';
import { names as messagesNames } from '../../src/ingress/dialects/anthropic/anthropic.ts';
import { names as gatewayNames } from '../../src/ingress/dialects/gateway/gateway.ts';
import {
  names as chatNames,
  responsesNames,
} from '../../src/ingress/dialects/openai/format/names.ts';
import { jsonOf } from '../errors-in-200/house.ts';
import { openStack, type Stack } from '../support/stack.ts';

const price = 'inputUsdPerMillion: "5", outputUsdPerMillion: "25"';

function rowsOf(wire: string, pathFamily: string): string {
  const row = (id: string, upstreamModel: string, more = `, ${price}`) =>
    `  - { id: ${id}, platform: sandbox, upstreamModel: ${upstreamModel}, pathFamily: ${pathFamily}${more} }`;
  const { told, stuck, free } = { told: wire, stuck: `${wire}-stuck`, free: `${wire}-free` };
  return [row(told, 'sim-told'), row(stuck, 'sim-stuck'), row(free, 'sim-echo', '')].join('\n');
}

const yaml = `
company: acme
store: sqlite:./gateway.db
ingress: { openai: true, anthropic: true }
platforms:
  sandbox: { kind: simulator }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
apps:
  - { name: search, dailyBudgetUsd: "1000" }
  - { name: poor, dailyBudgetUsd: "0.000001" }
  - { name: tight, dailyBudgetUsd: "0.05" }
  - { name: tutor, dailyBudgetUsd: "1000", credits: { monthlyGrant: "1", usdPerCredit: "0.01" } }
  - { name: picky, dailyBudgetUsd: "1000", models: [chat] }
  - { name: strict, dailyBudgetUsd: "1000", requirePriced: true }
models:
${rowsOf('chat', 'v1-chat')}
${rowsOf('gpt', 'v1-responses')}
${rowsOf('claude', 'anthropic-v1-messages')}
  - { id: vectors, kind: embeddings, platform: sandbox, upstreamModel: sim-embed, ${price} }
  - { id: half-free, route: [chat, gpt] }
`;

interface Format {
  readonly name: string;
  readonly names: ApiNames;
  readonly operation: OperationName;
  readonly path: string;
  readonly model: string;
  readonly body: object;
  /** A request for an image. */
  readonly image: object;
  /** A value of each field that a sentence may name, as a caller sends it. */
  readonly fields: Readonly<Record<string, object>>;
}

const messages = [{ role: 'user', content: 'Say hello.' }];
const data = 'iVBORw0KGgo=';
const dataUrl = `data:image/png;base64,${data}`;

const tool = { type: 'function', function: { name: 'weather' } };
const chatFields = {
  max_tokens: { max_tokens: 5 },
  max_completion_tokens: { max_completion_tokens: 5 },
  ...{ user: { user: 'ada' }, stream: { stream: false }, top_p: { top_p: 0.5 } },
  tool_choice: { tools: [tool], tool_choice: 'auto' },
  parallel_tool_calls: { tools: [tool], parallel_tool_calls: true },
  response_format: { response_format: { type: 'text' } },
  reasoning_effort: { reasoning_effort: 'low' },
  frequency_penalty: { frequency_penalty: 0.5 },
  presence_penalty: { presence_penalty: 0.5 },
  stream_options: { stream: false, stream_options: { include_usage: true } },
  safety_identifier: { safety_identifier: 'ada' },
};

const formats: readonly Format[] = [
  {
    ...{ name: '/v1', names: gatewayNames, operation: 'chat', path: '/v1/chat', model: 'chat' },
    body: { messages, maxTokens: 100_000 },
    image: {
      messages: [{ role: 'user', content: [{ type: 'image', mediaType: 'image/png', data }] }],
    },
    fields: {
      ...{ maxTokens: { maxTokens: 5 }, userId: { userId: 'ada' }, topP: { topP: 0.5 } },
    },
  },
  {
    ...{ name: 'chat completions', names: chatNames, operation: 'chat', model: 'chat' },
    ...{ path: '/openai/v1/chat/completions', body: { messages, max_tokens: 100_000 } },
    image: {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: dataUrl } }] }],
    },
    fields: chatFields,
  },
  {
    ...{ name: 'chat completions with the new limit', names: chatNames, operation: 'chat' },
    ...{ path: '/openai/v1/chat/completions', model: 'chat' },
    body: { messages, max_completion_tokens: 100_000 },
    image: {},
    fields: chatFields,
  },
  {
    ...{ name: 'responses', names: responsesNames, operation: 'responses', model: 'gpt' },
    ...{ path: '/openai/v1/responses', body: { input: 'Hi.', max_output_tokens: 100_000 } },
    image: {
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: dataUrl }] }],
    },
    fields: { max_output_tokens: { max_output_tokens: 5 }, user: { user: 'ada' } },
  },
  {
    ...{ name: 'messages', names: messagesNames, operation: 'messages', model: 'claude' },
    ...{ path: '/anthropic/v1/messages', body: { messages, max_tokens: 100_000 } },
    image: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
        },
      ],
    },
    fields: {
      max_tokens: { max_tokens: 5 },
      'metadata.user_id': { metadata: { user_id: 'ada' } },
    },
  },
  {
    ...{ name: '/v1, embeddings', names: gatewayNames, operation: 'embeddings' },
    ...{ path: '/v1/embeddings', model: 'vectors', body: { input: ['hello'] }, image: {} },
    fields: { userId: { userId: 'ada' } },
  },
  {
    ...{ name: 'OpenAI, embeddings', names: chatNames, operation: 'embeddings' },
    ...{ path: '/openai/v1/embeddings', model: 'vectors', body: { input: ['hello'] }, image: {} },
    fields: {
      ...{ user: { user: 'ada' }, safety_identifier: { safety_identifier: 'ada' } },
      encoding_format: { encoding_format: 'float' },
    },
  },
];

let stack: Stack;
let coming: RawReply | undefined;
beforeAll(async () => {
  stack = await openStack({ yaml, script: () => coming });
});
afterAll(() => stack.close());

async function keyed(app: string, path: string) {
  const key = await stack.key(app);
  const bearer = { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' };
  return path.startsWith('/v1') ? { 'x-api-key': key } : bearer;
}

async function ask(app: string, { path, body, model }: Format, more: object = {}) {
  const headers = await keyed(app, path);
  const response = await stack.post(app, path, { model, ...body, ...more }, { headers });
  const text = await stack.clock.run(response.text());
  await stack.clock.settle();
  const { error } = JSON.parse(text);
  return { status: response.status, message: error?.message };
}

/** Rejected or failed requests, by kind. */
const wrong: readonly (readonly [name: string, app: string, more: (format: Format) => object])[] = [
  ['an unknown model', 'search', () => ({ model: 'nobody' })],
  ['a model that is not allowed', 'picky', () => ({ model: 'other' })],
  ['a model without a price', 'strict', ({ model }) => ({ model: `${model}-free` })],
  ['no user', 'tutor', () => ({})],
  ['no money for anything', 'poor', () => ({})],
  ['money for less', 'tight', () => ({})],
  ['an image', 'search', ({ image }) => image],
  [
    'a model of embeddings',
    'search',
    ({ model }) => ({ model: model === 'vectors' ? 'chat' : 'vectors' }),
  ],
  ['a platform that is late', 'search', ({ model }) => ({ model: `${model}-stuck` })],
  ['an unknown field', 'search', () => ({ nonsense: 1 })],
];

/** Statuses of the platform. */
const statuses = [400, 401, 404, 413, 429, 500, 529];

/** All sentences of an API format: of the whole service, and of constructed failures. */
async function sentencesOf(format: Format): Promise<readonly string[]> {
  const sentences: unknown[] = [];
  for (const [, app, more] of wrong) {
    coming = undefined;
    sentences.push((await ask(app, format, more(format))).message);
  }
  const credits = { userId: 'ada' };
  const users = format.path.startsWith('/v1') ? credits : { user: 'ada' };
  const user = format.name === 'messages' ? { metadata: { user_id: 'ada' } } : users;
  sentences.push((await ask('tutor', format, user)).message);
  for (const status of statuses) {
    coming = jsonOf(status, { error: { message: 'no' } });
    sentences.push((await ask('search', format)).message);
    await stack.clock.advance(11_000);
  }
  coming = undefined;
  const { names, operation, body, model } = format;
  const call: NamedCall = {
    ...{ context: { names }, operation: { name: operation }, request: { model } },
    sent: () => ({ ...body }),
  };
  const nothing = { retryAfterMs: undefined, requestId: undefined, usage: undefined, detail: '' };
  const failed = { kind: 'failed', code: 'BAD_REQUEST', billed: 'no', isRetryable: false } as const;
  for (const reason of errorReasons) {
    for (const fields of [[], Object.keys(body)]) {
      const rejection = { reason, fields, isFieldReported: fields.length > 0 };
      const rejected = { ...failed, ...nothing, status: 400, rejection };
      sentences.push(failureOf(rejected, call, 1).message);
    }
  }
  const limit = { limitMs: 1_000, requestId: undefined };
  sentences.push(streamTimeoutOf(call, 'idle', limit).message);
  sentences.push(streamTimeoutOf(call, 'total', limit).message);
  sentences.push(notStreamable(call).message);
  return sentences.filter((sentence) => typeof sentence === 'string');
}

const routePattern = /\b(GET|POST|DELETE) (\/[\w/]+)/g;
/** Fields whose names are not English words. */
const fieldPattern = /\b(?:metadata\.)?[a-z]+(?:_[a-z]+)+\b|\b[a-z]+[A-Z]\w*\b/g;

describe.each(formats.map((format) => [format.name, format] as const))('%s', (_, format) => {
  test('each route and field that a sentence names exists', async () => {
    const sentences = await sentencesOf(format);
    expect(sentences.length).toBeGreaterThan(20);
    for (const sentence of sentences) {
      const routes = [...sentence.matchAll(routePattern)];
      const paths = sentence.match(/\/(?:v1|openai|anthropic)\/[\w/]*/g) ?? [];
      expect(paths.length, sentence).toBe(routes.length);
      for (const [, method = '', path = ''] of routes) {
        const headers = {
          ...(await keyed('search', format.path)),
          'content-type': 'application/json',
        };
        const body = method === 'POST' ? '{}' : null;
        const url = `http://gateway.test${path}`;
        const response = await stack.clock.run(stack.fetch(url, { method, headers, body }));
        expect([sentence, response.status]).toEqual([sentence, method === 'POST' ? 400 : 200]);
      }
      for (const [field] of sentence.matchAll(fieldPattern)) {
        const sample = format.fields[field];
        expect(sample, `${field} in: ${sentence}`).toBeDefined();
        const told = await ask('search', format, sample);
        expect([sentence, told]).toEqual([sentence, { status: 200, message: undefined }]);
      }
    }
  });

  test('the sentence about a missing user has the field name of the API format', async () => {
    const { message } = await ask('tutor', format);
    expect(message).toContain(`${format.names.user} is missing: `);
    expect(Object.keys(format.fields)).toContain(format.names.user);
  });
});

describe('sentences of calls', () => {
  it('contain routes and fields only from the API format', () => {
    const folder = new URL('../../src/calls/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const found = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(new URL(file, folder), 'utf8').replace(
          /^\s*(\/?\*|\/\/).*$/gm,
          '',
        );
        const literals = text.match(/'[^'\n]*'|`[^`]*`/g) ?? [];
        return literals
          .filter((literal) =>
            /\/v1\/|\b(maxTokens|userId) [a-z(]|[a-z] (maxTokens|userId)\b/.test(literal),
          )
          .map((literal) => `${file}: ${literal.slice(0, 40)}`);
      });
    // An operation of `/v1` only.
    expect(found).toEqual(['model-operations/chat.ts: `The output was cut off at maxTokens (${']);
  });
});
