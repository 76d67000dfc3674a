import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { type OperatorPrice, toOperatorPrice } from '../../catalog/model-entry.ts';
import { priceOf } from '../../catalog/price.ts';
import { standardPrice } from '../../catalog/terms.ts';
import type { RequestTier } from '../../domain/platform.ts';
import { utcDayOf } from '../../lib/clock.ts';

/** Rows of the catalog that are out of date; each list is missing where it would be empty. */
export interface RowsCheck {
  /** Their vendor does not serve them any more. */
  readonly retired?: readonly RetiringModel[];
  /** Their vendor ends them within 30 days. */
  readonly retiring?: readonly RetiringModel[];
  /** Their price was last read more than 180 days ago. */
  readonly stale?: readonly StaleModel[];
  /** Rows of the configuration with another price than the row that ships for the same model. */
  readonly mismatched?: readonly MismatchedModel[];
  /** Rows that ship without a price in the tier of their platform: calls name the standard one. */
  readonly withoutTier?: readonly ModelWithoutTier[];
}

/** A model that its vendor ends. */
export interface RetiringModel {
  readonly id: string;
  readonly platform: string;
  /** The first UTC day without it. */
  readonly retires: string;
}

/** A model whose price is old. */
export interface StaleModel {
  readonly id: string;
  readonly platform: string;
  /** The UTC day on which its price was last read. */
  readonly readOn: string;
}

/** A row of the configuration, and the price that ships for its model. */
export interface MismatchedModel {
  readonly id: string;
  readonly platform: string;
  readonly price: OperatorPrice;
  readonly shipped: { readonly price: OperatorPrice; readonly source: string };
}

/** A model that is called in the standard tier, and the tier that its platform has. */
export interface ModelWithoutTier {
  readonly id: string;
  readonly platform: string;
  readonly tier: RequestTier;
}

const dayMs = 86_400_000;
const retiringMs = 30 * dayMs;
const staleMs = 180 * dayMs;

/** Checks every listed row on the day of a time. */
export function checkRows(catalog: Catalog, nowMs: number): RowsCheck {
  const rows = catalog.list();
  const retiring = rows.flatMap((row) => retirementOf(row, catalog));
  const [today, soon] = [utcDayOf(nowMs), utcDayOf(nowMs + retiringMs)];
  const staleBefore = utcDayOf(nowMs - staleMs);
  return withoutEmpty({
    retired: retiring.filter(({ retires }) => retires <= today),
    retiring: retiring.filter(({ retires }) => retires > today && retires <= soon),
    stale: rows.flatMap(({ id, platform, readDay: readOn }) =>
      readOn !== undefined && readOn < staleBefore ? [{ id, platform, readOn }] : [],
    ),
    mismatched: rows.flatMap((row) => mismatchOf(row, catalog)),
    withoutTier: modelsWithoutTier(catalog),
  });
}

/** By id; a retired model needs no price in any tier. */
export function modelsWithoutTier(
  catalog: Pick<Catalog, 'list' | 'isRetired'>,
): readonly ModelWithoutTier[] {
  const rows = catalog.list().filter((row) => !catalog.isRetired(row));
  return rows.flatMap(({ id, platform, missingTier: tier }) =>
    tier === undefined ? [] : [{ id, platform, tier }],
  );
}

/** A row of the configuration without a day has that of the row that ships. */
function retirementOf(row: CatalogModel, catalog: Catalog): readonly RetiringModel[] {
  const { id, platform, retires = catalog.shippedFor(row)?.retires } = row;
  return retires === undefined ? [] : [{ id, platform, retires }];
}

function mismatchOf(row: CatalogModel, catalog: Catalog): readonly MismatchedModel[] {
  const { id, platform, price } = row;
  const { price: shipped, source } = catalog.shippedFor(row) ?? {};
  if (price === undefined || shipped === undefined || source === undefined) return [];
  // A version has the model's id in it, which may be another one.
  // Rows that ship have the price of the standard tier.
  if (priceOf(id, standardPrice(price)).version === priceOf(id, shipped).version) return [];
  return [
    {
      ...{ id, platform, price: toOperatorPrice(price) },
      shipped: { price: toOperatorPrice(shipped), source },
    },
  ];
}

function withoutEmpty(check: Required<RowsCheck>): RowsCheck {
  return Object.fromEntries(Object.entries(check).filter(([, rows]) => rows.length > 0));
}
