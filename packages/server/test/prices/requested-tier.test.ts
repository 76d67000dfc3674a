import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import {
  type SpokenPlatform,
  type SpokenRequest,
  startSpokenPlatform,
} from '../calls/support/spoken-platform.ts';
import { type Json, type Reply, wires } from '../calls/support/wires.ts';
import { configOf } from '../config/load.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

// A platform with a tier: requests name it on every route, and a call has the price of the tier
// that its response reports.

type WireName = 'chat' | 'responses' | 'messages';

let postgres: TestPostgres;
let platform: SpokenPlatform;
let sent: readonly SpokenRequest[] = [];
/** The tier that the next response reports; undefined for none. */
let word: unknown;

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform((request) => {
    sent = [...sent, request];
    return replyTo(request);
  });
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

function replyTo({ path, body }: SpokenRequest): Reply {
  const tier = word === undefined ? {} : { service_tier: word };
  if (path.endsWith('/messages')) {
    const usage = { input_tokens: 1_000, output_tokens: 10 };
    return answerOf('messages', { ...usage, ...tier }, {});
  }
  if (path.endsWith('/responses')) {
    const usage = { input_tokens: 1_000, output_tokens: 10, total_tokens: 1_010 };
    const { whole, events } = answerOf('responses', usage, tier);
    // The first event repeats the requested tier.
    const [first, ...others] = events.map(Object);
    const response = { ...first.response, service_tier: body.service_tier };
    return { whole, events: [{ ...first, response }, ...others] };
  }
  const usage = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 };
  return answerOf('chat', usage, tier);
}

function answerOf(wire: WireName, usage: Json, top: Json): Reply {
  const found = wires[wire];
  if (found === undefined) throw new Error(`${wire} is a wire`);
  return found.answer(usage, top);
}

const rates = 'inputUsdPerMillion: "2", outputUsdPerMillion: "10"';
const tiers = 'tiers: { flex: "0.5", priority: "2" }';
/** Pico-USD of the counts at the standard price. */
const standard = 1_000n * 2_000_000n + 10n * 10_000_000n;

const platformOf = (kind: string, more: string) =>
  `{ kind: ${kind}, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890${more} }`;

const yaml = (store: string) => `
company: acme
store: "${store}"
streaming: true
ingress: { openai: true, anthropic: true }
platforms:
  standard: ${platformOf('openai', ', tier: standard')}
  flex: ${platformOf('openai', ', tier: flex')}
  priority: ${platformOf('openai', ', tier: priority')}
  claude: ${platformOf('anthropic', ', tier: priority')}
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
models:
  - { id: standard, platform: standard, speaks: [chat, responses], ${rates}, ${tiers} }
  - { id: flex, platform: flex, speaks: [chat, responses], ${rates}, ${tiers} }
  - { id: priority, platform: priority, speaks: [chat, responses], ${rates}, ${tiers} }
  - { id: responses, platform: priority, speaks: [responses], ${rates}, ${tiers} }
  - { id: claude, platform: claude, ${rates}, ${tiers} }
  - { id: unpriced, platform: priority }
  - { id: vectors, platform: priority, kind: embeddings, inputUsdPerMillion: "1" }
apps:
  - name: search
    dailyBudgetUsd: "50"
    unpriced: free
    projects: { standard: proj_1, flex: proj_1, priority: proj_1, claude: wrkspc_1 }
`;

interface Case {
  readonly model: string;
  /** The tier in requests. */
  readonly names: string;
  readonly states: unknown;
  readonly factor: readonly [over: bigint, under: bigint];
  readonly isEstimate?: true;
  readonly version?: string;
}

const cases: readonly Case[] = [
  { model: 'standard', names: 'default', states: undefined, factor: [1n, 1n] },
  { model: 'standard', names: 'default', states: 'default', factor: [1n, 1n] },
  {
    ...{ model: 'standard', names: 'default', states: 'priority', factor: [2n, 1n] },
    version: ':priority:',
  },
  { model: 'flex', names: 'flex', states: 'flex', factor: [1n, 2n] },
  {
    ...{ model: 'flex', names: 'flex', states: 'default', factor: [1n, 1n] },
    version: ':standard:',
  },
  {
    ...{ model: 'flex', names: 'flex', states: undefined, factor: [1n, 1n], isEstimate: true },
    version: ':standard:',
  },
  {
    ...{ model: 'flex', names: 'flex', states: 'scale', factor: [1n, 1n], isEstimate: true },
    version: ':standard:',
  },
  { model: 'priority', names: 'priority', states: 'priority', factor: [2n, 1n] },
  {
    ...{ model: 'priority', names: 'priority', states: 'Default', factor: [1n, 1n] },
    version: ':standard:',
  },
  {
    ...{ model: 'priority', names: 'priority', states: 'flex', factor: [1n, 2n] },
    version: ':flex:',
  },
  {
    ...{ model: 'priority', names: 'priority', states: undefined, factor: [2n, 1n] },
    isEstimate: true,
  },
  {
    ...{ model: 'priority', names: 'priority', states: ['default'], factor: [2n, 1n] },
    isEstimate: true,
  },
  { model: 'claude', names: 'auto', states: 'priority', factor: [2n, 1n] },
  {
    ...{ model: 'claude', names: 'auto', states: 'standard', factor: [1n, 1n] },
    version: ':standard:global',
  },
  { model: 'claude', names: 'auto', states: 'batch', factor: [2n, 1n], isEstimate: true },
  { model: 'claude', names: 'auto', states: undefined, factor: [2n, 1n], isEstimate: true },
];

const messages = [{ role: 'user', content: 'x'.repeat(2_000) }];
const routes = {
  '/v1/chat': { messages, maxTokens: 100 },
  '/openai/v1/chat/completions': { messages, max_tokens: 100, service_tier: 'default' },
  '/openai/v1/responses': { input: 'x'.repeat(2_000), max_output_tokens: 100 },
  '/anthropic/v1/messages': { messages, max_tokens: 100, service_tier: 'standard_only' },
} as const;
type Route = keyof typeof routes;

function routesOf(model: string): readonly Route[] {
  const relayed = model === 'claude' ? '/anthropic/v1/messages' : '/openai/v1/responses';
  return ['/v1/chat', '/openai/v1/chat/completions', relayed];
}

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const store = kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yaml(store) });
  });
  afterAll(() => server.close());

  async function post(path: string, body: object) {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'x-api-key': await server.key('search'),
      },
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  }

  async function booked(route: Route, model: string, stream = false) {
    sent = [];
    const isOwn = route === '/v1/chat';
    const path = isOwn && stream ? `${route}/stream` : route;
    await post(path, { ...routes[route], model, ...(!isOwn && { stream }) });
    const day = utcDayOf(server.clock.now());
    const record = (await readCalls(server.store, 'search', day)).at(-1);
    if (record === undefined) throw new Error('the call is in the books');
    await expectClean(server);
    return record;
  }

  describe.each([false, true])('streamed: %s', (stream) => {
    test.each(cases)('$model, served in $states', async (row) => {
      word = row.states;
      const [over, under] = row.factor;
      const amount = (standard * over) / under;
      for (const route of routesOf(row.model)) {
        const record = await booked(route, row.model, stream);
        expect(sent.map(({ body }) => body.service_tier)).toEqual([row.names]);
        const basis = row.isEstimate ? 'estimated' : 'exact';
        expect(record, route).toMatchObject({ cost: amount, basis });
        expect(record.estimateReason).toBe(row.isEstimate && 'other-tier');
        const version = new RegExp(`^[0-9a-f]{16}${row.version ?? ''}$`);
        expect(record.priceVersion).toMatch(version);
        const { lines, matches } = await readReceipt(server.service.admin, record.callId);
        const sum = lines.reduce((all, { usd }) => all + (parseUsd(usd) ?? 0n), 0n);
        expect({ sum, matches }).toEqual({ sum: amount, matches: true });
        if (!row.isEstimate) expect(lines.map((line) => line.kind)).toEqual(['input', 'output']);
      }
    });

    test('a row without another path, by its own', async () => {
      word = 'default';
      const record = await booked('/v1/chat', 'responses', stream);
      expect(sent.map(({ path }) => path)).toEqual(['/v1/responses']);
      expect(record).toMatchObject({ cost: standard, basis: 'exact' });
    });
  });

  test('a model without a price in the tier is called in the standard one', async () => {
    word = 'default';
    await booked('/v1/chat', 'unpriced');
    expect(sent.map(({ body }) => body.service_tier)).toEqual(['default']);
  });

  test('the reservation is the maximum of the tiers that the platform may serve', async () => {
    const quote = async (model: string) => {
      const request = { ...routes['/v1/chat'], model };
      const text = await post('/v1/quote', { operation: 'chat', request });
      return Number(JSON.parse(text).maxCostUsd);
    };
    const ofStandard = await quote('standard');
    expect((await quote('flex')) / ofStandard).toBeCloseTo(1, 1);
    expect((await quote('priority')) / ofStandard).toBeCloseTo(2, 1);
    expect((await quote('claude')) / ofStandard).toBeCloseTo(2, 1);
  });

  test('the price of a call names the tier', async () => {
    word = 'priority';
    const { callId } = await booked('/v1/chat', 'priority');
    const { call } = await readReceipt(server.service.admin, callId);
    const price = { tier: 'priority', inputUsdPerMillion: '4', outputUsdPerMillion: '20' };
    expect(call).toMatchObject({ price });
  });
});

test('standard is the default', () => {
  const of = (more: string) => configOf(yaml('sqlite:./g.db').replace(', tier: standard', more));
  expect(of('').platforms[0]).not.toHaveProperty('tier');
  expect(of(', tier: flex').platforms[0]).toMatchObject({ tier: 'flex' });
});
