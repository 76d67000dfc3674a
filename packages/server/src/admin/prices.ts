import { priceVersionOf } from '../books/usage.ts';
import type { Catalog, LongContextRates } from '../catalog/catalog.ts';
import { toPriceUsd } from '../catalog/model-entry.ts';
import type { Rates } from '../domain/rates.ts';
import { big, int, optionalBig } from '../store/columns.ts';
import type { Query, SqlRow, Store } from '../store/port.ts';
import * as sql from '../store/queries/operator-statements.ts';
import type { PriceDocument } from './call-document.ts';

/** Keeps every price that calls may be booked with: a settled call names its version. */
export async function savePrices(
  store: Store,
  prices: ReturnType<Catalog['prices']>,
): Promise<void> {
  await store.write(
    prices.map(({ version, isDearest, model, longContext, ...rates }) => ({
      sql: sql.insertPrice,
      values: [
        ...[
          priceVersionOf({ version, ...(isDearest && { isDearest }) }),
          model,
          ...amountsOf(rates),
        ],
        ...[longContext?.fromInputTokens ?? null, ...amountsOf(longContext)],
      ],
    })),
  );
}

function amountsOf(rates: Rates | undefined): readonly (bigint | null)[] {
  if (rates === undefined) return [null, null, null, null];
  const { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd } = rates;
  return [inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd];
}

/** The price of a version, which calls were booked with; null when it was never kept. */
export function selectPrice(version: string): Query<PriceDocument | null> {
  return {
    sql: sql.selectPrice,
    values: [version],
    map: ([row]) => {
      if (row === undefined) return null;
      const longContext = longContextOf(row);
      const rates = ratesOf(row, '');
      return {
        version,
        ...toPriceUsd(longContext === undefined ? rates : { ...rates, longContext }),
      };
    },
  };
}

function longContextOf(row: SqlRow): LongContextRates | undefined {
  if (optionalBig(row, 'long_context_from') === undefined) return undefined;
  return { fromInputTokens: int(row, 'long_context_from'), ...ratesOf(row, 'long_context_') };
}

function ratesOf(row: SqlRow, prefix: string): Rates {
  return {
    inputPicoUsd: big(row, `${prefix}input`),
    cachedInputPicoUsd: big(row, `${prefix}cached_input`),
    cacheWriteInputPicoUsd: big(row, `${prefix}cache_write_input`),
    outputPicoUsd: big(row, `${prefix}output`),
  };
}
