import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { toModelEntry, toOperatorPrice } from '../../catalog/model-entry.ts';
import { priceOf } from '../../catalog/price.ts';
import { standardPrice } from '../../catalog/terms.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { selectApps } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { ModelDocument, ModelsCheck } from '../documents/models.ts';

/** Excludes the simulator's built-in models, which cost nothing. */
export function unpricedForReal(
  { unpriced }: ModelsCheck,
  platforms: readonly PlatformFacts[],
): ModelsCheck['unpriced'] {
  const simulators = new Set(
    platforms.filter(({ kind }) => kind === 'simulator').map(({ name }) => name),
  );
  return unpriced.filter(({ platform, listed }) => !listed || !simulators.has(platform));
}

export function listModels(catalog: Catalog): readonly ModelDocument[] {
  const aliases = catalog.aliases().map((row) => {
    const { models = [] } = catalog.alias(row.id) ?? {};
    return { ...modelDocument(row), route: models.map(({ id }) => id) };
  });
  return [...catalog.list().map(modelDocument), ...aliases];
}

function modelDocument(model: CatalogModel): ModelDocument {
  const { platform, upstreamModel, source, readDay, retires, isForTests } = model;
  const price = model.price === undefined ? null : toOperatorPrice(model.price);
  return {
    ...toModelEntry(model),
    ...{ price, platform, upstreamModel, source: source ?? null },
    ...(readDay !== undefined && { readOn: readDay }),
    ...(retires !== undefined && { retires }),
    ...(isForTests && { isForTests }),
  };
}

export async function checkModels(context: AdminContext, catalog: Catalog): Promise<ModelsCheck> {
  const apps = await context.store.read(selectApps(context.company));
  const allowed = apps
    .flatMap(({ models }) => [...(models ?? [])])
    .filter((id) => catalog.alias(id) === undefined);
  const listed = catalog.list();
  const ids = new Set([...listed.map(({ id }) => id), ...allowed]);
  const models = [...ids].sort().map((id) => catalog.model(id));
  const streamsEstimated = listed
    .filter(({ streamUsage }) => streamUsage === false)
    .map(({ id, platform }) => ({ id, platform }));
  return {
    unpriced: models
      .filter(({ price }) => price === undefined)
      .map(({ id, platform, isListed }) => ({
        id,
        platform,
        listed: isListed,
        apps: apps.filter((app) => app.models?.has(id) === true).map(({ name }) => name),
      })),
    withoutSource: listed
      .filter(({ price, source }) => price !== undefined && source === undefined)
      .map(modelDocument)
      .map(({ id, platform, price }) => ({ id, platform, price })),
    ...(streamsEstimated.length > 0 && { streamsEstimated }),
    ...checkRows(catalog, context.clock.now()),
  };
}

/** Empty lists are omitted. */
type RowsCheck = Omit<ModelsCheck, 'unpriced' | 'withoutSource' | 'streamsEstimated'>;
type Rows<Name extends keyof RowsCheck> = NonNullable<RowsCheck[Name]>;

const dayMs = 86_400_000;
const retiringMs = 30 * dayMs;
const staleMs = 180 * dayMs;

function checkRows(catalog: Catalog, nowMs: number): RowsCheck {
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

/** Omits retired models, which need no price. */
export function modelsWithoutTier(
  catalog: Pick<Catalog, 'list' | 'isRetired'>,
): Rows<'withoutTier'> {
  const rows = catalog.list().filter((row) => !catalog.isRetired(row));
  return rows.flatMap(({ id, platform, missingTier: tier }) =>
    tier === undefined ? [] : [{ id, platform, tier }],
  );
}

/** A configuration row without a retirement day uses the built-in row's. */
function retirementOf(row: CatalogModel, catalog: Catalog): Rows<'retiring'> {
  const { id, platform, retires = catalog.shippedFor(row)?.retires } = row;
  return retires === undefined ? [] : [{ id, platform, retires }];
}

function mismatchOf(row: CatalogModel, catalog: Catalog): Rows<'mismatched'> {
  const { id, platform, price } = row;
  const { price: shipped, source } = catalog.shippedFor(row) ?? {};
  if (price === undefined || shipped === undefined || source === undefined) return [];
  // A version contains the model's id, which may differ, so both prices get the same id. Built-in
  // rows have the price of the standard tier.
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
