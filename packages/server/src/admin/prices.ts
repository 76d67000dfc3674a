import { priceVersionOf } from '../books/usage.ts';
import type { Catalog, LongContextRates, ModelRates } from '../catalog/catalog.ts';
import { toOperatorPrice } from '../catalog/model-entry.ts';
import type { Rates } from '../domain/rates.ts';
import type { Query, Store } from '../store/port.ts';
import * as sql from '../store/queries/operator-statements.ts';
import { prices as priceTable, type StoredPrice } from '../store/service-tables.ts';
import type { PriceDocument } from './call-document.ts';

/** Keeps every price that calls may be booked with: a settled call names its version. */
export async function savePrices(
  store: Store,
  prices: ReturnType<Catalog['prices']>,
): Promise<void> {
  await store.write(
    prices.map((price) => ({
      sql: sql.insertPrice.sql,
      values: sql.insertPrice.bind(storedPrice(price)),
    })),
  );
}

function storedPrice(price: ReturnType<Catalog['prices']>[number]): StoredPrice {
  const { version, isDearest, model, longContext } = price;
  return {
    version: priceVersionOf({ version, ...(isDearest && { isDearest }) }),
    model,
    input: price.inputPicoUsd,
    cachedInput: price.cachedInputPicoUsd,
    cacheWriteInput: price.cacheWriteInputPicoUsd,
    cacheWrite1hInput: price.cacheWrite1hInputPicoUsd,
    output: price.outputPicoUsd,
    longContextFrom: longContext?.fromInputTokens,
    longContextInput: longContext?.inputPicoUsd,
    longContextCachedInput: longContext?.cachedInputPicoUsd,
    longContextCacheWriteInput: longContext?.cacheWriteInputPicoUsd,
    longContextCacheWrite1hInput: longContext?.cacheWrite1hInputPicoUsd,
    longContextOutput: longContext?.outputPicoUsd,
  };
}

/** The price of a version, which calls were booked with; null when it was never kept. */
export function selectPrice(version: string): Query<PriceDocument | null> {
  const { map, ...query } = selectRates(version);
  return {
    ...query,
    map(rows) {
      const rates = map(rows);
      return rates === null ? null : { version, ...toOperatorPrice(rates) };
    },
  };
}

/** Its rates; null when it was never kept. */
export function selectRates(version: string): Query<ModelRates | null> {
  return {
    sql: sql.selectPrice,
    values: [version],
    map: ([row]) => {
      if (row === undefined) return null;
      const price = priceTable.read(row);
      const longContext = longContextOf(price);
      const rates = ratesOf(price);
      return longContext === undefined ? rates : { ...rates, longContext };
    },
  };
}

function ratesOf(price: StoredPrice): Rates {
  const { input, cachedInput, cacheWriteInput, cacheWrite1hInput, output } = price;
  return {
    inputPicoUsd: input,
    cachedInputPicoUsd: cachedInput,
    cacheWriteInputPicoUsd: cacheWriteInput,
    cacheWrite1hInputPicoUsd: cacheWrite1hInput,
    outputPicoUsd: output,
  };
}

/** All of its rates are kept, or none. */
function longContextOf(price: StoredPrice): LongContextRates | undefined {
  const { longContextFrom: fromInputTokens, longContextInput: input } = price;
  const { longContextCachedInput: cachedInput, longContextOutput: output } = price;
  const cacheWriteInput = price.longContextCacheWriteInput;
  if (fromInputTokens === undefined || input === undefined || cachedInput === undefined) return;
  if (cacheWriteInput === undefined || output === undefined) return;
  const cacheWrite1hInput = price.longContextCacheWrite1hInput;
  const rates = { input, cachedInput, cacheWriteInput, cacheWrite1hInput, output };
  return { fromInputTokens, ...ratesOf({ ...price, ...rates }) };
}
