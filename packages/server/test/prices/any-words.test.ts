import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCatalog, priceProblems } from '../../src/catalog/create-catalog.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { type SpokenPlatform, startSpokenPlatform } from '../calls/support/spoken-platform.ts';
import type { Json } from '../calls/support/wires.ts';
import { configOf } from '../config/load.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { noonClock } from '../support/noon-clock.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

// Names of tiers, regions and tools come from a file and from platforms. A name that every object
// of the language has is a name like any other.

let postgres: TestPostgres;
let platform: SpokenPlatform;
/** The usage that the next response reports. */
let stated: Json = {};

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform(() => {
    const counts = { input_tokens: 1_000, output_tokens: 10 };
    const usage = { prompt_tokens: 1_000, completion_tokens: 10, ...counts, ...stated };
    const choices = [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }];
    const content = [{ type: 'text', text: 'Hi.' }];
    const message = { id: 'a', type: 'message', role: 'assistant', stop_reason: 'end_turn' };
    return { whole: { ...message, content, choices, usage }, events: [] };
  });
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

const rates = 'inputUsdPerMillion: "2", outputUsdPerMillion: "10"';
/** Pico-USD of the counts at the price of the row. */
const plain = 1_000n * 2_000_000n + 10n * 10_000_000n;

const yamlOn = (store: string) => `
company: acme
store: "${store}"
platforms:
  any: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890 }
  claude: { kind: anthropic, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-an-1234567890, region: us }
models:
  - { id: any, platform: any, ${rates}, tiers: { fast: "2" } }
  - { id: claude, platform: claude, ${rates}, regions: { us: "1" } }
  - { id: named, platform: any, ${rates}, tiers: { constructor: "3" }, toolUses: { constructor: { usdPerThousand: "10" } } }
apps: [{ name: search, dailyBudgetUsd: "50", projects: { claude: wrkspc_1 } }]
`;

const ofEveryObject = ['constructor', '__proto__', 'tostring', 'toString'];

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const store = kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yamlOn(store) });
  });
  afterAll(() => server.close());

  async function call(model: string, usage: Json) {
    stated = usage;
    const client = await server.client('search');
    const messages = [{ role: 'user' as const, content: 'x'.repeat(2_000) }];
    await client.chat({ model, messages, maxTokens: 100 });
    const record = (await readCalls(server.store, 'search', utcDayOf(server.clock.now()))).at(-1);
    if (record === undefined) throw new Error('the call is in the books');
    expect((await readReceipt(server.service.admin, record.callId)).matches).toBe(true);
    await expectClean(server);
    return record;
  }

  test.each(ofEveryObject)('a response in the tier %s is an estimate', async (word) => {
    const record = await call('any', { service_tier: word });
    expect(record).toMatchObject({ cost: plain, basis: 'estimated' });
  });

  test.each(ofEveryObject)('a response in the region %s is an estimate', async (word) => {
    const record = await call('claude', { inference_geo: word });
    expect(record).toMatchObject({ cost: plain, basis: 'estimated' });
  });

  test('a row can have such names', async () => {
    expect(await call('named', {})).toMatchObject({ cost: plain, basis: 'exact' });
    const tier = await call('named', { service_tier: 'constructor' });
    expect(tier).toMatchObject({ cost: 3n * plain, basis: 'exact' });
    const tool = await call('named', { server_tool_use: { constructor: 2 } });
    expect(tool.cost).toBeGreaterThanOrEqual(plain);
  });
});

test('a region of a platform without a row is a problem of the file', () => {
  const config = configOf(`
company: acme
platforms: { only: { kind: openai, apiKey: none, region: constructor } }
models: [{ id: m, platform: only, ${rates}, regions: { us: "1.1" } }]
`);
  createCatalog({ ...config, shipped: [], clock: noonClock });
  expect(priceProblems({ ...config, shipped: [] })).toEqual([
    'models: m has no price in the region constructor of the platform only; add it to its regions, which are us',
  ]);
});
