import { isRetiredAt, type ModelConfig } from '../domain/model.ts';
import type { PlatformFacts } from '../domain/platform.ts';
import { factsOf, type PlatformKind } from '../domain/platform-kinds/platform-kinds.ts';
import type { ModelRates } from '../domain/rates.ts';
import type { Clock } from '../lib/clock.ts';
import type { CatalogModel, Price, UnpricedModel } from './catalog.ts';
import { combineHighestRates, highestPriceModel } from './combine-highest-rates.ts';
import type { ShippedModel } from './shipped-model.ts';
import { standardPrice } from './terms.ts';

interface HighestPrices {
  of(model: UnpricedModel): Price | undefined;
  readonly prices: readonly (Price & { readonly model: string })[];
}

/**
 * Includes built-in rows even if their platform is not configured. Skips retired rows, and the
 * simulator, whose prices are examples.
 */
export function createHighestPrices(
  rows: readonly CatalogModel[],
  parts: {
    readonly platforms: readonly PlatformFacts[];
    readonly shipped: readonly ShippedModel[];
    readonly clock: Clock;
  },
): HighestPrices {
  const kinds = new Map(parts.platforms.map(({ name, kind }) => [name, kind]));
  const isSimulated = ({ platform }: Pick<CatalogModel, 'platform'>) => {
    return kinds.get(platform) === 'simulator';
  };
  const nowMs = parts.clock.now();
  const real = [
    ...rows
      .filter((row) => !isSimulated(row) && !isRetiredAt(row, nowMs))
      .map((row) => ({
        vendor: vendorOf(row, kinds.get(row.platform)),
        prices: pricesOfRow(row),
      })),
    ...parts.shipped
      .filter((row) => row.platformKind !== 'simulator' && !isRetiredAt(row, nowMs))
      .map((row) => ({ vendor: vendorOf(row, row.platformKind), prices: row.prices })),
  ];
  const all = pricesIn(real);
  const simulated = rows.flatMap((row) => (isSimulated(row) ? pricesOfRow(row) : []));
  const ofAll = combineHighestRates(all);
  const ofSimulators = combineHighestRates([...all, ...simulated]);
  const byVendor = new Map(
    [...Map.groupBy(real, ({ vendor }) => vendor)].map(([vendor, vendorRows]) => {
      return [vendor, combineHighestRates(pricesIn(vendorRows))];
    }),
  );
  // If one vendor has the highest rates of all, both prices have the same version.
  const known = new Map(
    [ofAll, ofSimulators, ...byVendor.values()].flatMap((price) => {
      return price === undefined ? [] : [[price.version, price] as const];
    }),
  );
  return {
    of(model) {
      if (isSimulated(model)) return ofSimulators;
      const vendor = vendorOf(model, kinds.get(model.platform));
      return (vendor === undefined ? undefined : byVendor.get(vendor)) ?? ofAll;
    },
    prices: [...known.values()].map((price) => ({ ...price, model: highestPriceModel })),
  };
}

/** Requests for a model without a price name the standard tier, which might cost more. */
function pricesOfRow({ price }: CatalogModel): readonly Price[] {
  return price === undefined ? [] : [price, standardPrice(price)];
}

function pricesIn(rows: readonly { readonly prices: readonly ModelRates[] }[]) {
  return rows.flatMap(({ prices }) => prices);
}

/** Undefined: any vendor is possible. */
function vendorOf(
  { maker, upstreamModel }: Pick<ModelConfig, 'maker' | 'upstreamModel'>,
  kind: PlatformKind | undefined,
): string | undefined {
  return maker ?? (kind && factsOf(kind).modelVendorOf?.(upstreamModel));
}
