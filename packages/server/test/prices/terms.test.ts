import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { findCall } from '../../src/operations/calls/calls.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { type SpokenPlatform, startSpokenPlatform } from '../calls/support/spoken-platform.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

// A price in the tier and the region that the response reports: booked exactly if the row has both,
// otherwise as an estimate.

let postgres: TestPostgres;
let platform: SpokenPlatform;
/** The report of the next response, next to its content and its counts. */
let stated: { readonly top?: object; readonly usage?: object } = {};

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform(() => ({ whole: answer(), events: [] }));
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

/** For both wire formats: each reads its own. */
function answer() {
  return {
    ...{ id: 'answer_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Hi.' }],
    choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    ...stated.top,
    usage: { ...counts, ...stated.usage },
  };
}

const counts = { input_tokens: 1_000, output_tokens: 10 };

const rates = `inputUsdPerMillion: "2", outputUsdPerMillion: "10"`;
const tiers = 'tiers: { flex: "0.5", priority: "2", fast: "6" }';
const regions = 'regions: { us: "1.1", eu: "1.25" }';
/** Pico-USD of the counts at the standard price. */
const standard = 1_000n * 2_000_000n + 10n * 10_000_000n;

const yaml = (store: string) => `
company: acme
store: "${store}"
platforms:
  any: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890 }
  contract: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890, priceFactor: "0.92" }
  claude: { kind: anthropic, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-an-1234567890 }
  claude-us: { kind: anthropic, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-an-1234567890, region: us }
  claude-open: { kind: anthropic, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-an-1234567890, region: none }
  gpt-eu: { kind: openai, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-oa-1234567890, region: eu }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
models:
  - { id: any, platform: any, ${rates}, ${tiers} }
  - { id: contract, platform: contract, ${rates} }
  - { id: claude, platform: claude, ${rates}, ${tiers}, ${regions} }
  - { id: claude-us, platform: claude-us, ${rates}, ${tiers}, ${regions} }
  - { id: claude-open, platform: claude-open, ${rates}, ${tiers}, ${regions} }
  - { id: gpt-eu, platform: gpt-eu, ${rates}, ${tiers}, ${regions} }
apps:
  - name: search
    dailyBudgetUsd: "50"
    projects: { claude: wrkspc_1, claude-us: wrkspc_1, claude-open: wrkspc_1, gpt-eu: proj_1 }
`;

const tier = (word: unknown) => ({ usage: { service_tier: word } });
const tierOnTop = (word: unknown) => ({ top: { service_tier: word } });
const place = (word: unknown) => ({ usage: { inference_geo: word } });

/**
 * A model, its platform's report, and the factor of the standard price; estimates have a reason.
 */
const cases: readonly {
  readonly model: string;
  readonly states: typeof stated;
  readonly factor: readonly [over: bigint, under: bigint];
  readonly reason?: string;
  readonly version?: string;
}[] = [
  { model: 'any', states: {}, factor: [1n, 1n] },
  { model: 'any', states: tierOnTop('default'), factor: [1n, 1n] },
  { model: 'any', states: tierOnTop('priority'), factor: [2n, 1n], version: ':priority:' },
  { model: 'any', states: tierOnTop('FLEX'), factor: [1n, 2n], version: ':flex:' },
  { model: 'any', states: tierOnTop('scale'), factor: [1n, 1n], reason: 'other-tier' },
  { model: 'any', states: tierOnTop(['flex']), factor: [1n, 1n], reason: 'other-tier' },
  {
    model: 'any',
    states: { ...tierOnTop('flex'), ...tier('priority') },
    ...{ factor: [1n, 1n], reason: 'other-tier' },
  },
  { model: 'contract', states: {}, factor: [92n, 100n] },
  { model: 'contract', states: tierOnTop('priority'), factor: [92n, 100n], reason: 'other-tier' },
  { model: 'claude', states: place('global'), factor: [1n, 1n] },
  { model: 'claude', states: place('us'), factor: [11n, 10n], version: '::us' },
  { model: 'claude', states: place('mars'), factor: [1n, 1n], reason: 'other-region' },
  {
    model: 'claude',
    states: { usage: { inference_geo: 'us', service_tier: 'priority', speed: 'standard' } },
    ...{ factor: [22n, 10n], version: ':priority:us' },
  },
  {
    model: 'claude',
    states: { usage: { speed: 'fast' } },
    factor: [6n, 1n],
    version: ':fast:global',
  },
  { model: 'claude-us', states: place('us'), factor: [11n, 10n] },
  { model: 'claude-us', states: place('eu'), factor: [125n, 100n], version: '::eu' },
  { model: 'claude-us', states: {}, factor: [11n, 10n], reason: 'other-region' },
  { model: 'claude-open', states: place('us'), factor: [11n, 10n], version: '::us' },
  { model: 'claude-open', states: place('not_available'), factor: [1n, 1n] },
  { model: 'gpt-eu', states: tierOnTop('default'), factor: [125n, 100n] },
  { model: 'gpt-eu', states: tierOnTop('flex'), factor: [625n, 1_000n], version: ':flex:eu' },
];

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const store = kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yaml(store) });
  });
  afterAll(() => server.close());

  async function call(model: string) {
    const client = await server.client('search');
    const messages = [{ role: 'user' as const, content: 'x'.repeat(2_000) }];
    await client.chat({ model, messages, maxTokens: 100 });
    const day = utcDayOf(server.clock.now());
    const record = (await readCalls(server.store, 'search', day)).at(-1);
    if (record === undefined) throw new Error('the call is in the books');
    await expectClean(server);
    return record;
  }

  test.each(cases)('$model: $states', async ({ model, states, factor, reason, version = '' }) => {
    stated = states;
    const record = await call(model);
    const [over, under] = factor;
    const amount = (standard * over) / under;
    expect(record).toMatchObject({ cost: amount, basis: reason ? 'estimated' : 'exact' });
    expect(record.estimateReason).toBe(reason);
    expect(record.priceVersion).toMatch(new RegExp(`^[0-9a-f]{16}${version}$`));
    const receipt = await readReceipt(server.service.admin, record.callId);
    if (reason !== undefined) return;
    const sum = receipt.lines.reduce((all, { usd }) => all + (parseUsd(usd) ?? 0n), 0n);
    expect(sum).toBe(amount);
    expect(receipt.lines.map(({ kind: of }) => of)).toEqual(['input', 'output']);
    const shown = await findCall(server.service.admin, record.callId);
    if (version.startsWith(':priority'))
      expect(shown).toMatchObject({ price: { tier: 'priority' } });
    if (version.endsWith(':us')) expect(shown).toMatchObject({ price: { region: 'us' } });
  });

  test('values that a request leaves open are reserved at their maximum, and no more', async () => {
    const client = await server.client('search');
    const quote = async (model: string) => {
      const messages = [{ role: 'user' as const, content: 'x'.repeat(2_000) }];
      const request = { model, messages, maxTokens: 100 };
      const { maxCostUsd } = await client.quote({ operation: 'chat', request });
      return Number(maxCostUsd);
    };
    const most = { contract: await quote('contract'), any: await quote('any') };
    // Bodies differ only by the length of the model's name.
    expect(most.any / (most.contract / 0.92)).toBeCloseTo(6, 1);
    expect((await quote('claude')) / (most.contract / 0.92)).toBeCloseTo(1, 1);
    expect((await quote('claude-us')) / (most.contract / 0.92)).toBeCloseTo(1.1, 1);
    expect((await quote('claude-open')) / (most.contract / 0.92)).toBeCloseTo(1.25, 1);
    expect((await quote('gpt-eu')) / (most.contract / 0.92)).toBeCloseTo(1.25, 1);
  });
});
