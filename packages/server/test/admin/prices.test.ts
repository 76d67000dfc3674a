import { simulatorRows } from '@model-gateway/lab/simulator/rows';
import { expect, test } from 'vitest';
import { savePrices, selectPrice } from '../../src/admin/prices.ts';
import { toOperatorPrice } from '../../src/catalog/model-entry.ts';
import { priceOf } from '../../src/catalog/price.ts';
import { shippedModels } from '../../src/catalog/shipped.ts';
import { openDirectStore } from '../../src/store/sqlite/direct-store.ts';

test('every price that ships is kept whole, under its version', async () => {
  const store = openDirectStore(':memory:');
  const prices = [...shippedModels(), ...simulatorRows()].flatMap(({ id, prices: dated }) =>
    dated.map(({ fromDay: _fromDay, source: _source, ...rates }) => ({
      ...priceOf(id, rates),
      model: id,
    })),
  );
  await savePrices(store, prices);
  expect(new Set(prices.map(({ version }) => version)).size).toBe(prices.length);
  for (const { version, model: _model, ...rates } of prices) {
    const kept = await store.read(selectPrice(version));
    expect(kept).toEqual({ version, ...toOperatorPrice(rates) });
  }
  expect(prices.filter(({ longContext }) => longContext !== undefined).length).toBeGreaterThan(5);
  expect(await store.read(selectPrice('0'))).toBeNull();
  await store.close();
});
