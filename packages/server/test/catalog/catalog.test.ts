import { simulatorRows } from '@model-gateway/lab/simulator/rows';
import { describe, expect, test } from 'vitest';
import type { CatalogModel } from '../../src/catalog/catalog.ts';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { toModelEntry } from '../../src/catalog/model-entry.ts';
import type { ShippedModel } from '../../src/catalog/shipped-model.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { configOf } from '../config/load.ts';

const text = `
company: acme
platforms:
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
  second: { kind: simulator }
  third: { kind: simulator }
defaultPlatform: local
models:
  - { id: own, platform: third, inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.60" }
  - { id: replaced, platform: local, upstreamModel: other }
`;

const rates = {
  inputPicoUsd: 1n,
  cachedInputPicoUsd: 2n,
  cacheWriteInputPicoUsd: 3n,
  outputPicoUsd: 4n,
};

function shipped(id: string, more: Partial<ShippedModel> = {}): ShippedModel {
  return {
    id,
    platformKind: 'simulator',
    upstreamModel: `up-${id}`,
    prices: [{ ...rates, fromDay: '2026-01-01', source: 'the list of today' }],
    structuredOutput: 'tool',
    images: true,
    imageTokensMax: 7,
    ...more,
  };
}

function catalogOf(models: readonly ShippedModel[], now = () => 0) {
  const clock: Clock = { now, monotonic: now, after: () => ({ cancel() {} }) };
  return createCatalog({ ...configOf(text), shipped: models, clock });
}

describe('a built-in row', () => {
  test('lives on the first configured platform of its kind', () => {
    const row = catalogOf([shipped('a')]).model('a');
    expect(row).toMatchObject({ platform: 'second', upstreamModel: 'up-a', isListed: true });
    expect(row).toMatchObject({ source: 'the list of today', price: rates });
    expect(row).not.toHaveProperty('platformKind');
  });

  test('has a path of its wire format first, at any of its prices', () => {
    const [old] = shipped('a').prices;
    if (old === undefined) throw new Error('the row has a price');
    const prices = [old, { ...old, fromDay: '2026-02-01', inputPicoUsd: 9n }];
    const speaks = ['v1-chat', 'v1-responses'] as const;
    let nowMs = Date.parse('2026-01-15');
    const catalog = catalogOf([shipped('a', { prices, speaks })], () => nowMs);
    for (const inputPicoUsd of [1n, 9n]) {
      const row = catalog.model('a');
      expect(row).toMatchObject({ speaks, price: { inputPicoUsd } });
      expect(catalog.model('a', 'openai-chat')).toBe(row);
      expect(catalog.model('a', 'anthropic-messages')).toBe(row);
      const onResponses = catalog.model('a', 'openai-responses');
      expect(onResponses).toEqual({ ...row, speaks: ['v1-responses', 'v1-chat'] });
      expect(catalog.model('a', 'openai-responses')).toBe(onResponses);
      nowMs = Date.parse('2026-02-15');
    }
  });

  test('does not exist without such a platform', () => {
    const catalog = catalogOf([shipped('a', { platformKind: 'anthropic' })]);
    expect(catalog.list().map((row) => row.id)).toEqual(['own', 'replaced']);
    expect(catalog.model('a').isListed).toBe(false);
  });

  test('is replaced by a row of the configuration, including its price', () => {
    const row = catalogOf([shipped('replaced')]).model('replaced');
    expect(row).toStrictEqual({
      id: 'replaced',
      platform: 'local',
      upstreamModel: 'other',
      structuredOutput: 'json-schema',
      images: false,
      imageTokensMax: 20_000,
      isListed: true,
    });
  });
});

describe('a model without a row', () => {
  test('uses the default platform, without a price', () => {
    expect(catalogOf([]).model('__proto__')).toStrictEqual({
      id: '__proto__',
      platform: 'local',
      upstreamModel: '__proto__',
      structuredOutput: 'json-schema',
      images: false,
      imageTokensMax: 20_000,
      isListed: false,
    });
  });
});

describe('dated prices', () => {
  const dated = shipped('a', {
    prices: [
      { ...rates, fromDay: '2026-01-01', source: 'old' },
      { ...rates, outputPicoUsd: 9n, fromDay: '2026-03-01', source: 'new' },
      { ...rates, fromDay: '2026-04-01', source: 'old again' },
    ],
  });

  test.each([
    ['1999-01-01T00:00:00Z', 'old'],
    ['2026-02-28T23:59:59.999Z', 'old'],
    ['2026-03-01T00:00:00Z', 'new'],
    ['2030-01-01T00:00:00Z', 'old again'],
  ])('at %s the price is the %s one', (moment, source) => {
    const catalog = catalogOf([dated], () => Date.parse(moment));
    expect(catalog.model('a').source).toBe(source);
    expect(catalog.list()[0]?.source).toBe(source);
  });

  test('change in a running process', () => {
    let now = Date.parse('2026-02-28T23:59:59.999Z');
    const catalog = catalogOf([dated], () => now);
    const before = catalog.model('a');
    now += 1;
    expect(catalog.model('a').price?.outputPicoUsd).toBe(9n);
    expect(before.price?.outputPicoUsd).toBe(4n);
  });

  test('are all stored, each version once', () => {
    const prices = catalogOf([dated]).prices();
    expect(prices.map((price) => [price.model, price.outputPicoUsd])).toEqual([
      ['a', 4n],
      ['a', 9n],
      ['own', 600_000n],
      ['(dearest)', 600_000n],
    ]);
    expect(new Set(prices.map((price) => price.version)).size).toBe(4);
  });
});

test('the clock is not read for a model with one price', () => {
  let asked = 0;
  const catalog = catalogOf([shipped('a')], () => {
    asked += 1;
    return 0;
  });
  const atStart = asked;
  expect(catalog.model('a').id).toBe('a');
  expect(asked).toBe(atStart);
});

test('a version names the same model and rates in every process', () => {
  const versionOf = (row: CatalogModel) => row.price?.version;
  const catalog = catalogOf([shipped('a'), shipped('b')]);
  expect(versionOf(catalog.model('a'))).toBe('b2cecc5cd6d58300');
  expect(versionOf(catalog.model('b'))).not.toBe('b2cecc5cd6d58300');
});

describe('GET /v1/models shows', () => {
  test('a priced model with exact prices, and without its platform', () => {
    expect(toModelEntry(catalogOf([]).model('own'))).toStrictEqual({
      id: 'own',
      priced: true,
      price: {
        inputUsdPerMillion: '0.15',
        cachedInputUsdPerMillion: '0.15',
        cacheWriteInputUsdPerMillion: '0.15',
        outputUsdPerMillion: '0.6',
      },
      operations: ['chat', 'objects', 'agents'],
      images: false,
    });
  });

  test('an unpriced model as such, with its known limits', () => {
    const model = shipped('a', { prices: [], contextTokens: 5, maxOutputTokens: 6 });
    expect(toModelEntry(catalogOf([model]).model('a'))).toStrictEqual({
      id: 'a',
      priced: false,
      price: null,
      contextTokens: 5,
      maxOutputTokens: 6,
      operations: ['chat', 'objects', 'agents'],
      images: true,
    });
  });
});

describe('the current built-in rows', () => {
  test('are the simulator’s models, with the prices of its bill', () => {
    const catalog = catalogOf(simulatorRows());
    expect(catalog.model('sim-echo')).toMatchObject({
      platform: 'second',
      price: { inputPicoUsd: 150_000n, outputPicoUsd: 600_000n },
    });
    expect(catalog.model('sim-unpriced').price).toBeUndefined();
    expect(catalog.model('sim-unpriced').isListed).toBe(true);
  });
});

describe('a model that its vendor retires', () => {
  test('is retired from the start of the UTC day, and stays in the catalog', () => {
    let nowMs = Date.parse('2027-03-30T23:59:59.999Z');
    const catalog = catalogOf([shipped('a', { retires: '2027-03-31' })], () => nowMs);
    expect(catalog.isRetired(catalog.model('a'))).toBe(false);
    nowMs += 1;
    expect(catalog.isRetired(catalog.model('a'))).toBe(true);
    expect(catalog.model('a')).toMatchObject({ price: rates, retires: '2027-03-31' });
    expect(catalog.list().map(({ id }) => id)).toContain('a');
    expect(catalog.isRetired(catalog.model('own'))).toBe(false);
  });

  test.each([
    ['all of its models', '2027-03-31', '2027-03-31'],
    ['one of its models', undefined, undefined],
  ])('retires an alias where it is %s', (_name, other, retires) => {
    const ends = other === undefined ? {} : { retires: other };
    const catalog = createCatalog({
      ...configOf(`${text}  - { id: both, route: [a, b] }\n`),
      shipped: [shipped('a', { retires: '2026-12-31' }), shipped('b', ends)],
      clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) },
    });
    expect(catalog.aliases()[0]?.retires).toBe(retires);
  });
});

describe('the built-in model of a row', () => {
  const anthropic = `
company: acme
platforms:
  first: { kind: anthropic, apiKey: k }
  second: { kind: anthropic, apiKey: k }
  sandbox: { kind: simulator }
models:
  - { id: house, platform: second, upstreamModel: a, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
  - { id: other, platform: first, upstreamModel: b }
  - { id: sim, platform: sandbox, upstreamModel: s }
`;
  const catalog = createCatalog({
    ...configOf(anthropic),
    shipped: [
      shipped('a', { platformKind: 'anthropic', retires: '2027-01-01' }),
      shipped('s', { platformKind: 'simulator' }),
    ],
    clock: { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) },
  });
  const found = (id: string) => catalog.shippedFor(catalog.model(id));

  test('is the row of the model that its platform is called for', () => {
    expect(found('house')).toMatchObject({ id: 'a', platform: 'second', retires: '2027-01-01' });
  });

  test('is undefined for a built-in row, for another model, and on the simulator', () => {
    expect([found('a'), found('other'), found('sim')]).toEqual([undefined, undefined, undefined]);
  });
});
