import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkCatalog } from '../../src/catalog/check-catalog.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { compareFile } from '../../src/operations/config/compare-file.ts';
import { type SpokenPlatform, startSpokenPlatform } from '../calls/support/spoken-platform.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

// A reload changes prices for calls that are admitted from then on. Each changed price is a line of
// the audit log, and the difference is shown beforehand.

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
  usage: { prompt_tokens: 1_000, completion_tokens: 10, service_tier: 'default' },
};

interface Written {
  readonly factor?: string;
  readonly price?: string;
  readonly more?: string;
}

const before = 'inputUsdPerMillion: "2", outputUsdPerMillion: "10"';
const after = 'inputUsdPerMillion: "3", outputUsdPerMillion: "20"';
/** Pico-USD of the response at each of them. */
const costs = { before: 2_100_000_000n, after: 3_200_000_000n };

const yamlOn = (store: string) => {
  return ({ factor = '1', price = before, more = '' }: Written) => `
company: acme
store: "${store}"
platforms:
  up: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-up-1234567890, priceFactor: "${factor}" }
models:
  - { id: gpt, platform: up, ${price} }
${more}
apps: [{ name: search, dailyBudgetUsd: "50" }]
`;
};

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let server: TestServer;
  let yaml: (written: Written) => string;
  beforeAll(async () => {
    yaml = yamlOn(kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database());
    server = await startServer({ yaml: yaml({}) });
  });
  afterAll(() => server.close());

  const reload = (written: Written) =>
    server.service.reload(server.configOf(yaml(written)), 'refuse');

  async function call(amount: bigint) {
    const client = await server.client('search');
    const messages = [{ role: 'user' as const, content: 'x'.repeat(2_000) }];
    await client.chat({ model: 'gpt', messages, maxTokens: 100 });
    const record = (await readCalls(server.store, 'search', utcDayOf(server.clock.now()))).at(-1);
    if (record === undefined) throw new Error('the call is in the books');
    expect(record).toMatchObject({ cost: amount, basis: 'exact' });
    const { lines } = await readReceipt(server.service.admin, record.callId);
    expect(lines.reduce((sum, { usd }) => sum + (parseUsd(usd) ?? 0n), 0n)).toBe(amount);
    await expectClean(server);
    return record.priceVersion;
  }

  async function priceLines() {
    const search = { subject: undefined, actor: undefined, since: undefined, limit: 100 };
    const lines = await listLines(server.service.admin, { ...search, action: 'price.set' });
    return lines.map(({ subject, before: old, after: now, actor }) => ({
      ...{ subject, old, now, actor },
    }));
  }

  async function differences(written: Written) {
    const config = server.configOf(yaml(written));
    const parts = { shipped: shippedModels(), clock: server.clock };
    const { catalog } = checkCatalog(config, parts);
    return (await compareFile(server.service.admin, config, { missing: 'refuse', catalog })).prices;
  }

  test('a call keeps the price that it was admitted at; the next has the new one', async () => {
    expect(await priceLines()).toEqual([]);
    const first = await call(costs.before);
    onRequest = async () => {
      onRequest = async () => {};
      await reload({ price: after });
    };
    expect(await call(costs.before)).toBe(first);
    const second = await call(costs.after);
    expect(second).not.toBe(first);
    const old = `input 2, cached input 2, cache write 2, output 10 (${first})`;
    const now = `input 3, cached input 3, cache write 3, output 20 (${second})`;
    const actor = expect.stringMatching(/^config:[0-9a-f]{12}@/);
    expect(await priceLines()).toEqual([{ subject: 'gpt', old, now, actor }]);
    const [line] = server.logLines.filter(({ message }) => message.startsWith('prices changed'));
    expect(line?.fields).toEqual({ changes: [{ model: 'gpt', from: old, to: now }], count: 1 });
    await reload({ price: after });
    expect(await priceLines()).toHaveLength(1);
  });

  test('the difference is shown beforehand', async () => {
    expect(await differences({ price: after })).toBeUndefined();
    const next = { factor: '0.5', price: `${after}, tiers: { flex: "0.5" }` };
    const shown = await differences(next);
    expect(shown).toEqual([
      {
        model: 'gpt',
        store: expect.stringMatching(/^input 3, .*, output 20 \([0-9a-f]{16}\)$/),
        file: expect.stringMatching(
          /^input 1.5, .*, output 10; tiers: flex × 0.5 \([0-9a-f]{16}\)$/,
        ),
      },
    ]);
    await reload(next);
    expect(await priceLines()).toMatchObject([{ now: shown?.[0]?.file }, {}]);
    await call(costs.after / 2n);
    expect(await differences(next)).toBeUndefined();
  });

  test('factors of terms make another version: a receipt keeps its own', async () => {
    const flexAt = (factor: string) => `${after}, tiers: { default: "1", flex: "${factor}" }`;
    await reload({ price: flexAt('0.5') });
    const first = await call(costs.after);
    await reload({ price: flexAt('0.25') });
    expect(await call(costs.after)).not.toBe(first);
  });

  test('a removed price and an added one are a line each', async () => {
    await reload({ price: 'images: false' });
    expect((await priceLines())[0]).toMatchObject({ subject: 'gpt', now: null });
    await reload({ price: before });
    expect((await priceLines()).slice(0, 2)).toMatchObject([{ old: null }, { now: null }]);
    await call(costs.before);
  });

  test.each([
    [
      'a product of more than six decimals',
      { factor: '0.000001', price: before.replace('2', '0.5') },
      /more than six decimals/,
    ],
    [
      'a factor of the standard tier',
      { price: `${after}, tiers: { default: "2" }` },
      /gpt has the factor 2 in the tier default/,
    ],
    [
      'a rate that no cost could have',
      { factor: '1000', price: `${after}, tiers: { fast: "1000" }` },
      /is above \$100000 after its factors .*: \$3 times 1000000; use lower factors/,
    ],
    [
      'a model that a start did not have',
      {
        more: '  - { id: gpt-2, platform: up, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }',
      },
      /can change only at startup: models/,
    ],
    [
      'another key of a model',
      { price: `${before}, images: true` },
      /can change only at startup: models/,
    ],
  ])('%s is rejected, and nothing is changed', async (_what, written, sentence) => {
    const lines = await priceLines();
    await expect(reload({ price: after, ...written })).rejects.toThrow(sentence);
    expect(await priceLines()).toEqual(lines);
    await call(costs.before);
  });
});
