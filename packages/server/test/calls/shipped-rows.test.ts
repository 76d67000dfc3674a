import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelsOfRows } from '../../src/catalog/model-row.ts';
import { anthropicModels } from '../../src/catalog/models/anthropic.ts';
import { bedrockMantleModels } from '../../src/catalog/models/bedrock-mantle.ts';
import { openAiModels } from '../../src/catalog/models/openai.ts';
import type { ShippedModel } from '../../src/catalog/shipped-model.ts';
import type { PathFamily } from '../../src/domain/path-family.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  type SpokenPlatform,
  type SpokenRequest,
  startSpokenPlatform,
} from './support/spoken-platform.ts';
import { type Json, type Reply, wires } from './support/wires.ts';

// Every built-in row, on each API format that it supports, whole and streamed: the path, the model
// and the project that the platform receives, and the booked cost.

let platform: SpokenPlatform;
let server: TestServer;
let requests: SpokenRequest[] = [];

beforeAll(async () => {
  platform = await startSpokenPlatform((request) => {
    requests.push(request);
    return replyTo(request);
  });
  server = await startServer({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  oa: { kind: openai, baseUrl: "${platform.baseUrl}/oa/v1", apiKey: sk-oa-1234567890 }
  an: { kind: anthropic, baseUrl: "${platform.baseUrl}/an/v1", apiKey: sk-an-1234567890 }
  aws: { kind: bedrock-mantle, region: us-east-1, baseUrl: "${platform.baseUrl}/aws/v1", apiKey: aws-1234567890 }
  up: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/up/v1", apiKey: none }
defaultPlatform: oa
ingress: { openai: true, anthropic: true }
streaming: true
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
models:
  - { id: stated, platform: oa, speaks: [chat], ${price} }
  - { id: unstated, platform: oa, ${price} }
  - { id: other-way, platform: oa, speaks: [responses], ${price} }
  - { id: both, platform: up, speaks: [responses, chat], ${price} }
  - { id: spoken, route: [unstated, gpt-5.6-sol] }
  - { id: half-spoken, route: [unstated, stated] }
apps:
  - { name: search, dailyBudgetUsd: "5000", projects: { oa: ${projectId}, an: ${projectId}, aws: ${projectId} } }
`,
  });
});
afterAll(async () => {
  await expectClean(server);
  await server.close();
  platform.close();
});

const price = 'inputUsdPerMillion: "1", outputUsdPerMillion: "10"';
const projectId = 'proj_search1';

/** An API format: how callers call it, and how its responses report the same tokens. */
interface Format {
  readonly path: string;
  readonly body: Json;
  readonly usage: Json;
}

const messages = [{ role: 'user', content: 'x'.repeat(1_500) }];
const tokens = { input: 1_000n, cached: 200n, output: 10n };
const formats = {
  chat: {
    path: '/openai/v1/chat/completions',
    body: { max_tokens: 100, messages },
    usage: {
      ...{ prompt_tokens: 1_000, completion_tokens: 10 },
      prompt_tokens_details: { cached_tokens: 200 },
    },
  },
  responses: {
    path: '/openai/v1/responses',
    body: { max_output_tokens: 100, input: 'x'.repeat(1_500) },
    usage: {
      ...{ input_tokens: 1_000, output_tokens: 10 },
      input_tokens_details: { cached_tokens: 200 },
    },
  },
  messages: {
    path: '/anthropic/v1/messages',
    body: { max_tokens: 100, messages },
    usage: { input_tokens: 800, cache_read_input_tokens: 200, output_tokens: 10 },
  },
} satisfies Readonly<Record<string, Format>>;

type FormatName = keyof typeof formats;

const formatOf: Readonly<Record<PathFamily, FormatName>> = {
  'v1-chat': 'chat',
  'v1-responses': 'responses',
  'openai-v1-chat': 'chat',
  'openai-v1-responses': 'responses',
  'anthropic-v1-messages': 'messages',
};

const pathOf: Readonly<Record<PathFamily, string>> = {
  'v1-chat': '/v1/chat/completions',
  'v1-responses': '/v1/responses',
  'openai-v1-chat': '/openai/v1/chat/completions',
  'openai-v1-responses': '/openai/v1/responses',
  'anthropic-v1-messages': '/anthropic/v1/messages',
};

function replyTo({ path, headers }: SpokenRequest): Reply {
  const project = headers['openai-project'] ?? headers['anthropic-workspace-id'];
  if (!path.startsWith('/up/') && project !== projectId) {
    const message = `Project '${project}' was not found.`;
    const error = { code: 'not_found_error', type: 'not_found_error', message };
    return { whole: { error }, events: [], status: 404 };
  }
  if (path.endsWith('/embeddings')) {
    const data = [{ object: 'embedding', index: 0, embedding: [1, 0] }];
    return { whole: { object: 'list', data, usage: { prompt_tokens: 1_000 } }, events: [] };
  }
  const name = formatNameAt(path);
  const wire = wires[name];
  if (wire === undefined) throw new Error('there is a wire');
  return wire.answer(formats[name].usage, {});
}

function formatNameAt(path: string): FormatName {
  if (path.endsWith('/messages')) return 'messages';
  return path.endsWith('/responses') ? 'responses' : 'chat';
}

/** The response to a call, its requests to the platform, and its record. */
async function call(path: string, body: Json) {
  requests = [];
  const key = await server.key('search');
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      'x-api-key': key,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const { status, headers } = response;
  const calls = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
  return { status, headers, text, sent: requests.map(pathAndModel), record: calls.at(-1) };
}

function pathAndModel({ path, body }: SpokenRequest) {
  return { path, model: body.model };
}

/** The current price in pico-USD, computed here from the decimals of the row. */
function costOf({ prices, kind }: ShippedModel): bigint {
  const day = utcDayOf(server.clock.now());
  const rates = prices.findLast(({ fromDay = day }) => fromDay <= day) ?? prices[0];
  if (rates === undefined) throw new Error('the row has a price');
  if (kind === 'embeddings') return tokens.input * rates.inputPicoUsd;
  const fresh = (tokens.input - tokens.cached) * rates.inputPicoUsd;
  return fresh + tokens.cached * rates.cachedInputPicoUsd + tokens.output * rates.outputPicoUsd;
}

const shipped = [
  ...modelsOfRows('openai', openAiModels).map((row) => ({ row, base: '/oa' })),
  ...modelsOfRows('bedrock-mantle', bedrockMantleModels).map((row) => ({ row, base: '/aws' })),
  ...modelsOfRows('anthropic', anthropicModels).map((row) => ({ row, base: '/an' })),
];

const spoken = shipped.flatMap(({ row, base }) => {
  if (row.kind === 'embeddings') return [];
  const speaks = row.speaks ?? (['anthropic-v1-messages'] as const);
  // Anthropic's own API has its paths at the root.
  const at = (family: PathFamily) =>
    base + (row.speaks === undefined ? '/v1/messages' : pathOf[family]);
  return [{ row, speaks, at }];
});

const onFormats = spoken.flatMap(({ row, speaks, at }) =>
  speaks.flatMap((family) =>
    [false, true].map((isStream) => {
      const how = isStream ? 'streamed' : 'whole';
      return [row.id, formatOf[family], how, { row, sentTo: at(family), isStream }] as const;
    }),
  ),
);

test.each(onFormats)('%s is called on %s, %s', async (id, format, _how, of) => {
  const { row, sentTo, isStream } = of;
  const { path, body } = formats[format];
  const made = await call(path, { ...body, model: id, ...(isStream && { stream: true }) });
  expect(made.status, made.text).toBe(200);
  expect(made.sent).toEqual([{ path: sentTo, model: id }]);
  expect(made.record).toMatchObject({ model: id, basis: 'exact', cost: costOf(row) });
});

test.each(spoken.map(({ row, speaks, at }) => [row.id, { row, speaks, at }] as const))(
  '%s is called on chat completions by /v1, or on its first path',
  async (id, { row, speaks, at }) => {
    const family = speaks.find((each) => formatOf[each] === 'chat') ?? speaks[0];
    const made = await call('/v1/chat', { model: id, messages, maxTokens: 100 });
    expect(made.status, made.text).toBe(200);
    expect(made.sent).toEqual([{ path: at(family), model: id }]);
    expect(made.record).toMatchObject({ model: id, basis: 'exact', cost: costOf(row) });
  },
);

test.each(shipped.filter(({ row }) => row.kind === 'embeddings').map(({ row }) => [row.id, row]))(
  '%s is called for embeddings',
  async (id, row) => {
    const body = { model: id, input: 'x'.repeat(1_500), encoding_format: 'float' };
    const made = await call('/openai/v1/embeddings', body);
    expect(made.status, made.text).toBe(200);
    expect(made.sent).toEqual([{ path: '/oa/v1/embeddings', model: id }]);
    expect(made.record).toMatchObject({ model: id, basis: 'exact', cost: costOf(row) });
  },
);

const unspoken = spoken.flatMap(({ row, speaks }) =>
  (['responses', 'messages'] as const)
    .filter((format) => !speaks.some((family) => formatOf[family] === format))
    .map((format) => [row.id, format] as const),
);

test.each(unspoken)('%s is not called on %s', async (id, format) => {
  const { path, body } = formats[format];
  const made = await call(path, { ...body, model: id });
  expect([made.status, made.sent]).toEqual([400, []]);
  expect(made.text).toContain(`The model ${id} does not support `);
});

describe('rows of the configuration', () => {
  const on = (format: FormatName, model: string, more: Json = {}) =>
    call(formats[format].path, { ...formats[format].body, model, ...more });

  test.each([
    ['unstated', 'chat', '/oa/v1/chat/completions'],
    ['unstated', 'responses', '/oa/v1/responses'],
    ['of-no-row', 'chat', '/oa/v1/chat/completions'],
    ['of-no-row', 'responses', '/oa/v1/responses'],
    ['stated', 'chat', '/oa/v1/chat/completions'],
    ['other-way', 'chat', '/oa/v1/responses'],
    ['other-way', 'responses', '/oa/v1/responses'],
    ['both', 'chat', '/up/v1/chat/completions'],
    ['both', 'responses', '/up/v1/responses'],
  ] as const)('%s on %s goes to %s', async (model, format, path) => {
    const made = await on(format, model);
    expect(made.status, made.text).toBe(200);
    expect(made.sent).toEqual([{ path, model }]);
  });

  test.each([
    ['stated', 'responses', 400],
    ['unstated', 'messages', 400],
    ['of-no-row', 'messages', 400],
    ['half-spoken', 'responses', 501],
  ] as const)('%s on %s is rejected with %s', async (model, format, status) => {
    const made = await on(format, model);
    expect([made.status, made.sent]).toEqual([status, []]);
    expect(made.text).toContain('does not support');
  });

  test('an alias is called on the path of the format, of each of its models', async () => {
    for (const [format, path] of [
      ['chat', '/oa/v1/chat/completions'],
      ['responses', '/oa/v1/responses'],
    ] as const) {
      const made = await on(format, 'spoken');
      expect(made.status, made.text).toBe(200);
      expect(made.sent).toEqual([{ path, model: 'unstated' }]);
    }
  });

  test('the minimum tokens depend on the path of the call', async () => {
    const onChat = await on('chat', 'unstated', { max_tokens: 1 });
    const onResponses = await on('responses', 'unstated', { max_output_tokens: 1 });
    const applied = [onChat, onResponses].map(({ headers }) => headers.get('x-max-tokens-applied'));
    expect(applied).toEqual(['1', '16']);
    expect(requests.map(({ body }) => body.max_output_tokens)).toEqual([16]);
  });
});
