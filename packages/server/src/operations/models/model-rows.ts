import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { toOperatorPrice } from '../../catalog/model-entry.ts';
import { priceOf } from '../../catalog/price.ts';
import { standardPrice } from '../../catalog/terms.ts';
import { utcDayOf } from '../../lib/clock.ts';
import type { ModelsCheck } from '../documents/models.ts';

/** Empty lists are missing. */
type RowsCheck = Omit<ModelsCheck, 'unpriced' | 'withoutSource' | 'streamsEstimated'>;
type Rows<Name extends keyof RowsCheck> = NonNullable<RowsCheck[Name]>;

const dayMs = 86_400_000;
const retiringMs = 30 * dayMs;
const staleMs = 180 * dayMs;

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

/** By id; a retired model needs no price. */
export function modelsWithoutTier(
  catalog: Pick<Catalog, 'list' | 'isRetired'>,
): Rows<'withoutTier'> {
  const rows = catalog.list().filter((row) => !catalog.isRetired(row));
  return rows.flatMap(({ id, platform, missingTier: tier }) =>
    tier === undefined ? [] : [{ id, platform, tier }],
  );
}

/** A configuration row without a day takes that of the shipped row. */
function retirementOf(row: CatalogModel, catalog: Catalog): Rows<'retiring'> {
  const { id, platform, retires = catalog.shippedFor(row)?.retires } = row;
  return retires === undefined ? [] : [{ id, platform, retires }];
}

function mismatchOf(row: CatalogModel, catalog: Catalog): Rows<'mismatched'> {
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
