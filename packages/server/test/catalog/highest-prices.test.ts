import { simulatorRows } from '@model-gateway/lab/simulator/rows';
import { describe, expect, test } from 'vitest';
import { combineHighestRates } from '../../src/catalog/combine-highest-rates.ts';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import type { ShippedModel } from '../../src/catalog/shipped-model.ts';
import type { ModelRates } from '../../src/domain/rates.ts';
import { configOf } from '../config/load.ts';

function rates(input: bigint, cached: bigint, write: bigint, output: bigint): ModelRates {
  return {
    inputPicoUsd: input,
    cachedInputPicoUsd: cached,
    cacheWriteInputPicoUsd: write,
    outputPicoUsd: output,
  };
}

describe('the highest price', () => {
  test('has the highest rate of any model for each kind of token', () => {
    const combined = combineHighestRates([rates(1n, 8n, 3n, 4n), rates(5n, 2n, 7n, 1n)]);
    expect(combined).toMatchObject({ ...rates(5n, 8n, 7n, 4n), isHighestKnown: true });
  });

  test('has a long rate from the shortest such length, and then exceeds all', () => {
    const combined = combineHighestRates([
      { ...rates(1n, 1n, 1n, 9n), steps: [{ aboveInputTokens: 300, ...rates(2n, 2n, 2n, 2n) }] },
      { ...rates(4n, 1n, 1n, 1n), steps: [{ aboveInputTokens: 200, ...rates(3n, 5n, 1n, 1n) }] },
    ]);
    expect(combined).toMatchObject(rates(4n, 1n, 1n, 9n));
    expect(combined?.steps).toEqual([{ aboveInputTokens: 200, ...rates(4n, 5n, 2n, 9n) }]);
  });

  test('is undefined without any price', () => {
    expect(combineHighestRates([])).toBeUndefined();
  });
});

const clock = { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) };

function row(id: string, platformKind: ShippedModel['platformKind'], output: bigint): ShippedModel {
  return {
    ...{ id, platformKind, upstreamModel: id, structuredOutput: 'tool', images: false },
    imageTokensMax: 1,
    prices: [{ ...rates(1n, 1n, 1n, output), fromDay: '2026-01-01', source: 'a list' }],
  };
}

describe('in the catalog', () => {
  const shipped = [row('sim', 'simulator', 900n), row('real', 'anthropic', 50n)];
  const text = (own: string) => `
company: acme
platforms:
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
  sandbox: { kind: simulator }
models:
  - { id: own, platform: ${own}, inputUsdPerMillion: "0", outputUsdPerMillion: "0.000070" }
`;
  const outputOn = (platform: string, own: string, models: readonly ShippedModel[] = shipped) =>
    createCatalog({ ...configOf(text(own)), shipped: models, clock }).highestPrice({
      ...{ platform, upstreamModel: 'gpt-of-tomorrow' },
    })?.outputPicoUsd;

  test('built-in rows count, even if their platform is not configured', () => {
    expect(outputOn('local', 'local', [row('real', 'anthropic', 90n)])).toBe(90n);
  });

  test('rows of the configuration count, also with a price of 0', () => {
    expect(outputOn('local', 'local')).toBe(70n);
    expect(outputOn('local', 'local', [])).toBe(70n);
  });

  test('the simulator’s prices count only on simulators', () => {
    expect(outputOn('local', 'sandbox')).toBe(50n);
    expect(outputOn('sandbox', 'local')).toBe(900n);
  });

  test('no built-in price of a real vendor exceeds it, at any length', () => {
    const all = shippedModels();
    const catalog = createCatalog({
      ...configOf(text('local')),
      shipped: [...all, ...simulatorRows()],
      clock,
    });
    const dearest = catalog.highestPrice({ platform: 'local', upstreamModel: 'any' });
    for (const { id, prices = [] } of all) {
      for (const { steps: [step] = [], ...price } of prices) {
        for (const [kind, long] of [
          [price, false],
          [step ?? price, true],
        ] as const) {
          const top = long ? (dearest?.steps?.[0] ?? dearest) : dearest;
          expect(top?.inputPicoUsd, id).toBeGreaterThanOrEqual(kind.inputPicoUsd);
          expect(top?.cachedInputPicoUsd, id).toBeGreaterThanOrEqual(kind.cachedInputPicoUsd);
          expect(top?.cacheWriteInputPicoUsd, id).toBeGreaterThanOrEqual(
            kind.cacheWriteInputPicoUsd,
          );
          expect(top?.outputPicoUsd, id).toBeGreaterThanOrEqual(kind.outputPicoUsd);
        }
      }
    }
  });
});
