import type { Catalog } from '../catalog/catalog.ts';
import type { Store } from '../store/port.ts';
import * as sql from './statements.ts';

/** Keeps every price that calls may be booked with: a settled call names its version. */
export async function keepPrices(
  store: Store,
  prices: ReturnType<Catalog['prices']>,
): Promise<void> {
  await store.write(
    prices.map(({ version, model, ...rates }) => ({
      sql: sql.insertPrice,
      values: [
        version,
        model,
        rates.inputPicoUsd,
        rates.cachedInputPicoUsd,
        rates.cacheWriteInputPicoUsd,
        rates.outputPicoUsd,
      ],
    })),
  );
}
