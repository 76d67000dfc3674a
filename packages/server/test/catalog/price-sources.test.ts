import { describe, expect, test } from 'vitest';
import { compareRows } from '../../../../checks/prices/compare.ts';
import { readGenaiPrices } from '../../../../checks/prices/genai-prices.ts';
import { listedDifferences } from '../../../../checks/prices/listed.ts';
import { readLitellm } from '../../../../checks/prices/litellm.ts';
import { readPythonValue } from '../../../../checks/prices/python-values.ts';
import { wholeOf } from '../../../../checks/prices/rates.ts';
import { modelsOfRows, type PriceRow } from '../../src/catalog/model-row.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';

// `npm run check:prices` runs the whole comparison. It needs both packages.

const genaiPrices = readGenaiPrices(`
"""Made by a program"""
from .types import *

providers: list[Provider] = [
    Provider(
        id='anthropic',
        models=[
            ModelInfo(
                id='big',
                match=ClauseOr(or_=[ClauseEquals(equals='Big'), ClauseStartsWith(starts_with='big-')]),
                prices=[
                    ConditionalPrice(prices=ModelPrice(input_mtok=Decimal('9'), output_mtok=Decimal('9'))),
                    ConditionalPrice(
                        constraint=StartDateConstraint(start_date=datetime.date(2026, 8, 1)),
                        prices=ModelPrice(
                            input_mtok=TieredPrices(
                                base=Decimal('1'), tiers=[Tier(start=200, price=Decimal('2'))]
                            ),
                            cache_read_mtok=Decimal('0.5'),  # no step
                            cache_write_1h_mtok=TieredPrices(
                                base=Decimal('2.5'), tiers=[Tier(start=200, price=Decimal('5'))]
                            ),
                            output_mtok=Decimal('3.25'),
                        ),
                    ),
                ],
            ),
        ],
    ),
]
`);

const litellm = readLitellm(`{
  "big": {
    "litellm_provider": "anthropic", "deprecation_date": "2027-01-01",
    "input_cost_per_token": 1e-06, "input_cost_per_token_above_0.2k_tokens": 9.0,
    "input_cost_per_token_flex": 7e-06,
    "output_cost_per_token": 3.25e-06
  },
  "elsewhere": { "litellm_provider": "azure", "input_cost_per_token": 1e-06 }
}`);

/** Only a price: a step and rates as genai-prices has them. */
const price: PriceRow = {
  ...{ from: '2026-08-01', source: 'a list' },
  ...{ inputUsdPerMillion: '1', cachedInputUsdPerMillion: '0.5', outputUsdPerMillion: '3.25' },
  cacheWrite1hInputUsdPerMillion: '2.5',
  ...withStepAbove(200),
};

function withStepAbove(tokens: number) {
  const factors = { input: '2', cachedInput: '1', output: '1' };
  return { aboveInputTokens: [{ tokens, factors }] };
}

function compare(
  prices: readonly [PriceRow, ...PriceRow[]],
  id = 'big',
  day = '2026-11-27',
  retires = '2027-01-01',
) {
  const size = { images: false, contextTokens: 1_000, retires };
  const shape = { structuredOutput: 'tool', ...size } as const;
  const models = modelsOfRows('anthropic', [{ ...shape, id, prices }]);
  return compareRows({ models, sources: [genaiPrices, litellm], day, usages: 500 });
}

describe('a row is compared with each source', () => {
  test('and confirmed by a source with exactly its price', () => {
    const comparison = compare([price]);
    expect(comparison.differences.map(({ source }) => source)).toEqual(['litellm']);
    expect(comparison).toMatchObject({ rows: 1, unknown: [], unconfirmed: [] });
    expect(Object.fromEntries(comparison.counts)).toEqual({ 'genai-prices': 1, litellm: 1 });
  });

  const { aboveInputTokens: _steps, ...flat } = price;
  test.each<[string, PriceRow]>([
    ['a step that begins at its number', { ...price, ...withStepAbove(199) }],
    ['no step', flat],
    ['another rate of what was cached', { ...price, cachedInputUsdPerMillion: '0.500001' }],
    [
      'another rate of what is kept for an hour',
      { ...price, cacheWrite1hInputUsdPerMillion: '2.6' },
    ],
    ['another rate of output', { ...price, outputUsdPerMillion: '3.2' }],
  ])('and differs by %s', (_name, changed) => {
    const comparison = compare([changed]);
    expect(comparison.differences.map(({ source }) => source)).toContain('genai-prices');
    expect(comparison.unconfirmed).toEqual(['anthropic big']);
  });

  test('at the prices of the day', () => {
    const before: PriceRow = {
      ...{ from: '2026-01-01', source: 'a list' },
      ...{ inputUsdPerMillion: '9', outputUsdPerMillion: '9' },
    };
    const sourcesOf = (day: string) =>
      compare([before, price], 'big', day).differences.map(({ source }) => source);
    expect(sourcesOf('2026-07-31')).toEqual(['litellm']);
    expect(sourcesOf('2026-08-01')).toEqual(['litellm']);
    expect(compare([before], 'big').unconfirmed).toEqual(['anthropic big']);
  });

  test('and its last day with a source that has one', () => {
    const retirements = compare([price], 'big', '2026-11-27', '2027-01-02').differences.filter(
      ({ example }) => example.startsWith('it retires'),
    );
    expect(retirements).toEqual([
      {
        ...{ row: 'anthropic big', source: 'litellm' },
        example: 'it retires 2027-01-02 here, 2027-01-01 there',
      },
    ]);
  });

  test('and named if no source, or only another platform’s, has it', () => {
    expect(compare([price], 'unheard-of').unknown).toEqual(['anthropic unheard-of']);
    expect(compare([price], 'elsewhere').unknown).toEqual(['anthropic elsewhere']);
  });
});

test('the step of a call is more than its number of tokens, in thousands', () => {
  const { input } =
    readLitellm(
      '{"m":{"litellm_provider":"openai","input_cost_per_token":1e-6,"input_cost_per_token_above_272k_tokens":2e-6}}',
    ).find('openai', 'm', '2026-11-27') ?? expect.fail('the map has it');
  expect(input).toEqual({ base: 1_000_000n, steps: [{ above: 272_000, rate: 2_000_000n }] });
});

test.each([
  ['2.5e-06', 12, 2_500_000n],
  ['1.375e-7', 12, 137_500n],
  ['0.0385', 6, 38_500n],
  ['10', 6, 10_000_000n],
  ['1.50', 1, 15n],
])('%s is exact in %d places', (text, places, whole) => {
  expect(wholeOf(text, places)).toBe(whole);
});

test.each(['1.5e-13', '-1', 'NaN', ''])('%j is rejected', (text) => {
  expect(() => wholeOf(text, 12)).toThrow();
});

test.each(['open("file")[0]', '1 + 1', '[1, 2', "f'{x}'", 'lambda: 1', '"a'])(
  'Python with more than values is rejected: %s',
  (text) => {
    expect(() => readGenaiPrices(`providers: list[Provider] = [${text}]`)).toThrow();
  },
);

test('Python’s values are read without running code', () => {
  const text = "X(1, -2.5, a='it\\'s' \" two\", b=[True, None, {'k': 'v'}], c=Y())  # end";
  expect(readPythonValue(text, 0)).toEqual({
    name: 'X',
    values: [1, -2.5],
    fields: new Map<string, unknown>([
      ['a', "it's two"],
      ['b', [true, undefined, { name: 'dict', values: [], fields: new Map([['k', 'v']]) }]],
      ['c', { name: 'Y', values: [], fields: new Map() }],
    ]),
  });
});

test('each listed difference belongs to a built-in row, with a page and a reason', () => {
  const rows = shippedModels().map(({ platformKind, id }) => `${platformKind} ${id}`);
  for (const { row, page, reason } of listedDifferences) {
    expect(rows).toContain(row);
    expect(page).toMatch(/^https:\/\//);
    expect(reason).not.toBe('');
  }
});
