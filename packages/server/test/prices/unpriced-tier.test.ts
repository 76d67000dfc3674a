import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { type SpokenPlatform, startSpokenPlatform } from '../calls/support/spoken-platform.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

// Calls of a model without a price name the standard tier, also on a platform with another one. So
// they cost no less than the standard price of the vendor's other models.

let postgres: TestPostgres;
let platform: SpokenPlatform;
/** Runs while the platform has a request. */
let onRequest: () => Promise<void> = async () => {};

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform(async () => {
    await onRequest();
    return { whole: answer, events: [] };
  });
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

const answer = {
  choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 },
  service_tier: 'default',
};

const rates = 'inputUsdPerMillion: "2", outputUsdPerMillion: "10"';
/** Pico-USD of the response at the standard price. */
const standard = 1_000n * 2_000_000n + 10n * 10_000_000n;

const yamlOn = (store: string) => {
  const platformOf = (tier: string) =>
    `{ kind: openai, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890, tier: ${tier} }`;
  return `
company: acme
store: "${store}"
platforms: { flex: ${platformOf('flex')}, priority: ${platformOf('priority')} }
models:
  - { id: low, platform: flex, maker: acme, ${rates}, tiers: { flex: "0.5" } }
  - { id: new-of-acme, platform: flex, maker: acme }
  - { id: high, platform: priority, maker: zenith, ${rates}, tiers: { priority: "2" } }
  - { id: new-of-zenith, platform: priority, maker: zenith }
apps: [{ name: search, dailyBudgetUsd: "50", projects: { flex: proj_1, priority: proj_1 } }]
`;
};

const request = { messages: [{ role: 'user' as const, content: 'x'.repeat(2_000) }] };

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const store = kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yamlOn(store) });
  });
  afterAll(() => server.close());

  /** The reservation of a call of the model while it runs, and its booked cost. */
  async function call(model: string) {
    const client = await server.client('search');
    let held: string | undefined;
    onRequest = async () => {
      held = (await client.usage()).budget?.heldUsd;
    };
    await client.chat({ ...request, model, maxTokens: 100 });
    const record = (await readCalls(server.store, 'search', utcDayOf(server.clock.now()))).at(-1);
    if (record === undefined) throw new Error('the call is in the books');
    expect((await readReceipt(server.service.admin, record.callId)).matches).toBe(true);
    await expectClean(server);
    return { held: Number(held ?? 0), cost: formatUsd(record.cost), basis: record.basis };
  }

  test.each([
    { tier: 'flex', priced: 'low', unpriced: 'new-of-acme', cost: standard },
    { tier: 'priority', priced: 'high', unpriced: 'new-of-zenith', cost: 2n * standard },
  ])('with the tier $tier', async ({ priced, unpriced, cost }) => {
    const { held } = await call(priced);
    expect(held).toBeGreaterThan(0);
    const found = await call(unpriced);
    expect(found).toMatchObject({ cost: formatUsd(cost), basis: 'estimated' });
    expect(found.held).toBeGreaterThanOrEqual(held);
  });
});
