import { priceVersionOf } from '../../books/usage.ts';
import type { Catalog, Price } from '../../catalog/catalog.ts';
import { toOperatorPrice } from '../../catalog/model-entry.ts';
import { priceIn } from '../../catalog/terms.ts';
import type { Factors } from '../../domain/price-terms.ts';
import type { FlatPrice, Rates, StepRates } from '../../domain/rates.ts';
import type { Query, Store } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import type { StoredPrice } from '../../store/schema/price-table.ts';
import { prices as priceTable } from '../../store/schema/price-table.ts';
import type { PriceDocument } from '../documents/calls.ts';

/** A settled call names its price version, so every version is stored. */
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
  const { version, isHighestKnown, model, terms, steps: [first, ...further] = [] } = price;
  return {
    version: priceVersionOf({ version, ...(isHighestKnown && { isHighestKnown }) }),
    model,
    input: price.inputPicoUsd,
    cachedInput: price.cachedInputPicoUsd,
    cacheWriteInput: price.cacheWriteInputPicoUsd,
    cacheWrite1hInput: price.cacheWrite1hInputPicoUsd,
    output: price.outputPicoUsd,
    longContextFrom: first && first.aboveInputTokens + 1,
    longContextInput: first?.inputPicoUsd,
    longContextCachedInput: first?.cachedInputPicoUsd,
    longContextCacheWriteInput: first?.cacheWriteInputPicoUsd,
    longContextCacheWrite1hInput: first?.cacheWrite1hInputPicoUsd,
    longContextOutput: first?.outputPicoUsd,
    furtherSteps: further.length === 0 ? undefined : jsonOf(further),
    tier: terms?.tier,
    region: terms?.region,
    tiers: terms && jsonOf(terms.tiers),
    regions: terms && jsonOf(terms.regions),
    perRequest: price.flat?.perRequestPicoUsd,
    toolUses: price.flat?.toolUses && jsonOf(amountsOf(price.flat.toolUses)),
    parts: price.parts && jsonOf(price.parts),
    longContextParts: first?.parts && jsonOf(first.parts),
  };
}

/** Null for a version that was never stored. */
export function selectPrice(version: string): Query<PriceDocument | null> {
  const { map, ...query } = selectRates(version);
  return {
    ...query,
    map(rows) {
      const price = map(rows);
      if (price === null) return null;
      const { tier = price.terms?.tier, region = price.terms?.region } = termsIn(version);
      return {
        version,
        ...(tier && { tier }),
        ...(region && { region }),
        ...toOperatorPrice(price),
      };
    },
  };
}

/** Rates in the version's terms; null for a version that was never stored. */
export function selectRates(version: string): Query<Price | null> {
  return {
    sql: sql.selectPrice,
    values: [version.replace(/:.*/s, '')],
    map: ([row]) => {
      if (row === undefined) return null;
      const stored = priceTable.read(row);
      const { tier, region, tiers, regions } = stored;
      const first = firstStepOf(stored);
      const price = {
        ...ratesOf(stored),
        ...flatOf(stored),
        ...(first && { steps: [first, ...stepsFrom(stored.furtherSteps)] }),
        version: stored.version,
      };
      if (tiers === undefined || regions === undefined) return price;
      const factors = { tiers: integersFrom(tiers), regions: integersFrom(regions) };
      const terms = { tier, region, isRegionRequested: false, ...factors };
      return priceIn({ ...price, terms }, termsIn(version)) ?? null;
    },
  };
}

function termsIn(version: string): { readonly tier?: string; readonly region?: string } {
  const [, tier, region] = version.split(':');
  return { ...(tier && { tier }), ...(region && { region }) };
}

function ratesOf(
  price: Pick<StoredPrice, 'input' | 'cachedInput' | 'cacheWriteInput' | 'output' | 'parts'> &
    Partial<Pick<StoredPrice, 'cacheWrite1hInput'>>,
): Rates {
  const { input, cachedInput, cacheWriteInput, cacheWrite1hInput, output, parts } = price;
  return {
    inputPicoUsd: input,
    cachedInputPicoUsd: cachedInput,
    cacheWriteInputPicoUsd: cacheWriteInput,
    cacheWrite1hInputPicoUsd: cacheWrite1hInput,
    outputPicoUsd: output,
    ...(parts !== undefined && { parts: integersFrom(parts) }),
  };
}

/** Either all of its rates are stored, or none. */
function firstStepOf(price: StoredPrice): StepRates | undefined {
  const { longContextFrom, longContextInput: input } = price;
  const { longContextCachedInput: cachedInput, longContextOutput: output } = price;
  const { longContextCacheWrite1hInput: cacheWrite1hInput, longContextParts: parts } = price;
  const cacheWriteInput = price.longContextCacheWriteInput;
  if (longContextFrom === undefined || input === undefined || cachedInput === undefined) return;
  if (cacheWriteInput === undefined || output === undefined) return;
  const rates = ratesOf({ input, cachedInput, cacheWriteInput, cacheWrite1hInput, output, parts });
  return { aboveInputTokens: longContextFrom - 1, ...rates };
}

function flatOf({ perRequest, toolUses }: StoredPrice): Pick<Price, 'flat'> {
  if (perRequest === undefined && toolUses === undefined) return {};
  const amounts = Object.entries(toolUses === undefined ? {} : integersFrom(toolUses));
  const tools = amounts.map(([tool, picoUsd]) => [tool, { picoUsd }] as const);
  return {
    flat: {
      ...(perRequest !== undefined && { perRequestPicoUsd: perRequest }),
      ...(toolUses !== undefined && { toolUses: Object.fromEntries(tools) }),
    },
  };
}

function amountsOf(prices: NonNullable<FlatPrice['toolUses']>): Readonly<Record<string, bigint>> {
  return Object.fromEntries(Object.entries(prices).map(([tool, price]) => [tool, price.picoUsd]));
}

/** A text, since JSON readers may not read large amounts exactly. */
function jsonOf(value: readonly StepRates[] | NonNullable<Rates['parts']> | Factors): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));
}

function integersFrom(text: string): Readonly<Record<string, bigint>> {
  return JSON.parse(text, (name, value) => (name === '' ? value : BigInt(value)));
}

function stepsFrom(text = '[]'): readonly StepRates[] {
  return JSON.parse(text, (_, value) => (typeof value === 'string' ? BigInt(value) : value));
}
