import { describe, expect, test } from 'vitest';
import { configOf, problemsOf } from './load.ts';

const yaml = (row: string) => `
company: acme
platforms:
  sandbox: { kind: simulator }
models:
  - { id: m, platform: sandbox, ${row} }
`;

const pricesOf = (row: string) => configOf(yaml(row)).models[0]?.prices;
const base = 'inputUsdPerMillion: "2", outputUsdPerMillion: "10"';

describe('a price with dimensions', () => {
  test('has steps of input, each with the product of its factors', () => {
    const steps = `aboveInputTokens: [{ tokens: 272000, factors: { input: "2", output: "1.5" } }, { tokens: 500000, factors: { input: 3, cachedInput: "0.5", cacheWrite: 4 } }]`;
    const rates = `${base}, cachedInputUsdPerMillion: "0.2", cacheWriteUsdPerMillion: { 30m: "2.5", 12h: "5" }`;
    expect(pricesOf(`${rates}, ${steps}`)).toEqual([
      {
        inputPicoUsd: 2_000_000n,
        cachedInputPicoUsd: 200_000n,
        cacheWriteInputPicoUsd: 2_500_000n,
        cacheWrite1hInputPicoUsd: 5_000_000n,
        outputPicoUsd: 10_000_000n,
        steps: [
          {
            aboveInputTokens: 272_000,
            inputPicoUsd: 4_000_000n,
            cachedInputPicoUsd: 400_000n,
            cacheWriteInputPicoUsd: 5_000_000n,
            cacheWrite1hInputPicoUsd: 10_000_000n,
            outputPicoUsd: 15_000_000n,
          },
          {
            aboveInputTokens: 500_000,
            inputPicoUsd: 6_000_000n,
            cachedInputPicoUsd: 100_000n,
            cacheWriteInputPicoUsd: 10_000_000n,
            cacheWrite1hInputPicoUsd: 20_000_000n,
            outputPicoUsd: 10_000_000n,
          },
        ],
      },
    ]);
  });

  test('is dated, in any order', () => {
    const dated = `prices: [{ from: 2026-12-01, inputUsdPerMillion: "1", outputUsdPerMillion: "5" }, { from: 2026-09-22, ${base} }]`;
    expect(pricesOf(dated)).toMatchObject([
      { fromDay: '2026-09-22', inputPicoUsd: 2_000_000n },
      { fromDay: '2026-12-01', inputPicoUsd: 1_000_000n },
    ]);
  });

  test('has rates of parts, which steps multiply like the whole', () => {
    const parts = 'reasoningUsdPerMillion: "30", imageInputUsdPerMillion: "5"';
    const steps = 'aboveInputTokens: [{ tokens: 10, factors: { input: "2", output: "3" } }]';
    expect(pricesOf(`${base}, ${parts}, ${steps}`)).toMatchObject([
      {
        parts: { reasoning: 30_000_000n, imageInput: 5_000_000n },
        steps: [{ parts: { reasoning: 90_000_000n, imageInput: 10_000_000n } }],
      },
    ]);
    expect(pricesOf(base)?.[0]).not.toHaveProperty('parts');
  });

  test('has an amount for each request and each use of a tool', () => {
    const tools =
      'toolUses: { web_search: { usdPerThousand: "10" }, x: { usdPerThousand: "0.000001", maxUses: 2 } }';
    expect(pricesOf(`${base}, perRequestUsd: "0.000000000005", ${tools}`)).toMatchObject([
      {
        flat: {
          perRequestPicoUsd: 5n,
          toolUses: {
            web_search: { picoUsd: 10_000_000_000n },
            x: { picoUsd: 1_000n, usesMax: 2 },
          },
        },
      },
    ]);
  });

  test('of 0 is a price', () => {
    const free = 'inputUsdPerMillion: 0, outputUsdPerMillion: 0';
    expect(pricesOf(free)).toMatchObject([{ inputPicoUsd: 0n }]);
    expect(pricesOf(`prices: [{ ${free} }]`)).toMatchObject([{ outputPicoUsd: 0n }]);
  });
});

const oneStep = (step: string) => `${base}, aboveInputTokens: [${step}]`;

/** A fault of the file, and the one problem that is reported for it. */
const problems: readonly (readonly [row: string, problem: string])[] = [
  [
    oneStep('{ tokens: 1000, factors: { input: "1.0000001" } }'),
    'models[0].aboveInputTokens[0].factors.input: must be a factor above 0 with at most 6 decimals, such as "1.5", up to 1000; it is "1.0000001"',
  ],
  [
    oneStep('{ tokens: 1000, factors: { output: 0 } }'),
    'models[0].aboveInputTokens[0].factors.output: must be a factor above 0 with at most 6 decimals, such as "1.5", up to 1000; it is "0"',
  ],
  [
    oneStep('{ tokens: 1000, factors: { output: 1e1 } }'),
    'models[0].aboveInputTokens[0].factors.output: must be a factor above 0 with at most 6 decimals, such as "1.5", up to 1000; it is "1e1"',
  ],
  [
    'inputUsdPerMillion: "0.000001", outputUsdPerMillion: 1, aboveInputTokens: [{ tokens: 5, factors: { input: "1.5" } }]',
    'models[0].aboveInputTokens[0]: $0.000001 times 1.5 has more than six decimals; use a factor with fewer decimals',
  ],
  [
    'inputUsdPerMillion: "90000", outputUsdPerMillion: 1, aboveInputTokens: [{ tokens: 5, factors: { input: 2, cachedInput: 1, cacheWrite: 1 } }]',
    'models[0].aboveInputTokens[0]: $90000 times 2 is above the maximum of $100000; use a lower factor',
  ],
  [
    oneStep('{ tokens: 2000, factors: { input: 2 } }, { tokens: 2000, factors: { input: 3 } }'),
    'models[0].aboveInputTokens[1]: begins above 2000 tokens, which is not more than the 2000 of the step before; list the smallest step first',
  ],
  [oneStep(''), 'models[0].aboveInputTokens: is empty; add a step, or remove the key'],
  [
    oneStep(Array.from({ length: 9 }, (_, n) => `{ tokens: ${n + 1}, factors: {} }`).join(', ')),
    'models[0].aboveInputTokens: takes at most 8 steps; it has 9',
  ],
  [oneStep('{ tokens: 1000 }'), 'models[0].aboveInputTokens[0].factors: is required'],
  [
    `${oneStep('{ tokens: 1000, factors: { input: 2 } }')}, contextTokens: 1000`,
    'models[0].contextTokens: no call reaches the step above 1000 tokens of input; raise contextTokens above it or remove the step',
  ],
  [
    'aboveInputTokens: [{ tokens: 1000, factors: { input: 2 } }], inputUsdPerMillion: 1',
    'models[0].inputUsdPerMillion: a price also requires outputUsdPerMillion',
  ],
  [
    `prices: [{ from: 2026-09-22, ${base} }, { from: 2026-09-22, ${base} }]`,
    'models[0].prices[1].from: "2026-09-22" is already used at models[0].prices[0].from',
  ],
  [
    `prices: [{ from: 2026-09-22, ${base} }, { ${base} }]`,
    'models[0].prices[1]: requires from, the first UTC day of the price',
  ],
  [
    `prices: [{ from: 2027-02-29, ${base} }]`,
    'models[0].prices[0].from: must be a UTC day such as 2026-11-21; it is "2027-02-29"',
  ],
  ['prices: []', 'models[0].prices: is empty; add a price, or remove the key'],
  [
    'prices: [{ from: 2026-09-22 }]',
    'models[0].prices[0]: a price requires inputUsdPerMillion and outputUsdPerMillion',
  ],
  [
    `${base}, prices: [{ ${base} }]`,
    'models[0].prices: conflicts with inputUsdPerMillion; move it into prices',
  ],
  [
    `${base}, cacheWriteUsdPerMillion: {}`,
    'models[0].cacheWriteUsdPerMillion: is empty; add a rate, such as { 5m: "2.5" }',
  ],
  ['prices: [abc]', 'models[0].prices[0]: must be a section, such as { key: value }'],
  [
    `${base}, cacheWriteUsdPerMillion: { 5m: 1, 30m: 2 }`,
    'models[0].cacheWriteUsdPerMillion: has 5m and 30m; keep one of them',
  ],
  [
    `${base}, cacheWriteInputUsdPerMillion: 1, cacheWriteUsdPerMillion: { 1h: 2 }`,
    'models[0].cacheWriteUsdPerMillion: conflicts with another cache-write price; move that price into this key',
  ],
  [
    `${base}, perRequestUsd: "0.0000000000001"`,
    'models[0].perRequestUsd: must be an amount in USD with at most 12 decimals, such as "0.005", up to 1000; it is "0.0000000000001"',
  ],
  [
    `${base}, perRequestUsd: 1001`,
    'models[0].perRequestUsd: must be an amount in USD with at most 12 decimals, such as "0.005", up to 1000; it is "1001"',
  ],
  [
    'perRequestUsd: 1, inputUsdPerMillion: 1',
    'models[0].inputUsdPerMillion: a price also requires outputUsdPerMillion',
  ],
  [
    `${base}, toolUses: { web_search: { usdPerThousand: "1e1" } }`,
    'models[0].toolUses.web_search.usdPerThousand: must be a price in USD per thousand uses, with at most six decimals, such as "10", up to 100000; it is "1e1"',
  ],
  [
    `${base}, toolUses: { web_search: { maxUses: 3 } }`,
    'models[0].toolUses.web_search.usdPerThousand: is required',
  ],
  [
    `${base}, toolUses: { web_search: { usdPerThousand: 1, maxUses: 1001 } }`,
    'models[0].toolUses.web_search.maxUses: must be a whole number from 0 to 1000; it is "1001"',
  ],
  [`${base}, toolUses: {}`, 'models[0].toolUses: has 0 tools; list 1 to 16'],
  [
    `${base}, toolUses: { ${Array.from({ length: 17 }, (_, at) => `a${at}: {}`).join(', ')} }`,
    'models[0].toolUses: takes at most 16 tools; it has 17',
  ],
  [
    `prices: [${Array.from({ length: 65 }, () => '{}').join(', ')}]`,
    'models[0].prices: takes at most 64 prices; it has 65; remove the oldest ones',
  ],
  [
    `${base}, toolUses: { Search: { usdPerThousand: 1 } }`,
    'models[0].toolUses.Search: must be a word of a-z, 0-9, "_" and "-"',
  ],
  [
    'inputUsdPerMillion: 1e-7, outputUsdPerMillion: 1',
    'models[0].inputUsdPerMillion: must be a price in USD per million tokens, with at most six decimals, such as "0.15", up to 100000; it is "1e-7"',
  ],
];

test.each(problems)('%s', (row, problem) => {
  expect(problemsOf(yaml(row))).toEqual([problem]);
});
