import { simulatorRows } from '@model-gateway/lab/simulator/rows';
import { expect, test } from 'vitest';
import { cost } from '../../src/catalog/cost.ts';
import { toOperatorPrice } from '../../src/catalog/model-entry.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import { priceOf } from '../../src/catalog/price.ts';
import { savePrices, selectPrice, selectRates } from '../../src/operations/models/prices.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';

test('every built-in price is stored completely, under its version', async () => {
  const store = openDirectStore(':memory:');
  const prices = [...shippedModels(), ...simulatorRows()].flatMap(({ id, prices: dated = [] }) =>
    dated.map(({ fromDay: _fromDay, source: _source, ...rates }) => ({
      ...priceOf(id, rates),
      model: id,
    })),
  );
  await savePrices(store, prices);
  expect(new Set(prices.map(({ version }) => version)).size).toBe(prices.length);
  for (const { version, model: _model, ...rates } of prices) {
    const stored = await store.read(selectPrice(version));
    expect(stored).toEqual({ version, ...toOperatorPrice(rates) });
  }
  expect(prices.filter(({ steps }) => steps !== undefined).length).toBeGreaterThan(5);
  expect(await store.read(selectPrice('0'))).toBeNull();
  await store.close();
});

test('a price with steps is stored completely, and costs the same from the store', async () => {
  const store = openDirectStore(':memory:');
  const rates = (factor: bigint) => ({
    inputPicoUsd: 9_007_199_254_740_993n * factor,
    ...{ cachedInputPicoUsd: factor, cacheWriteInputPicoUsd: 2n * factor },
    ...{ cacheWrite1hInputPicoUsd: 3n * factor, outputPicoUsd: 5n * factor },
  });
  const steps = [1, 2, 3].map((n) => ({ aboveInputTokens: n * 1_000, ...rates(BigInt(n + 1)) }));
  const price = priceOf('stepped', { ...rates(1n), steps });
  await savePrices(store, [{ ...price, model: 'stepped' }]);
  const stored = await store.read(selectRates(price.version));
  expect(stored).toEqual({ ...rates(1n), steps, version: price.version });
  const usage = { cachedInputTokens: 1, cacheWriteInputTokens: 2, outputTokens: 3 };
  for (const inputTokens of [1_000, 1_001, 2_000, 2_001, 3_001]) {
    const counts = { ...usage, inputTokens, reasoningTokens: 0 };
    expect(stored && cost(counts, stored)).toBe(cost(counts, price));
  }
  await store.close();
});
