import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { toModelEntry, toOperatorPrice } from '../../catalog/model-entry.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { selectApps } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { ModelDocument, ModelsCheck } from '../documents/models.ts';
import { checkRows } from './model-rows.ts';

/** Without the simulator's shipped models, which cost nothing. */
export function unpricedForReal(
  { unpriced }: ModelsCheck,
  platforms: readonly PlatformFacts[],
): ModelsCheck['unpriced'] {
  const simulators = new Set(
    platforms.filter(({ kind }) => kind === 'simulator').map(({ name }) => name),
  );
  return unpriced.filter(({ platform, listed }) => !listed || !simulators.has(platform));
}

/** By id; then aliases. */
export function listModels(catalog: Catalog): readonly ModelDocument[] {
  const aliases = catalog.aliases().map((row) => {
    const { models = [] } = catalog.alias(row.id) ?? {};
    return { ...modelDocument(row), route: models.map(({ id }) => id) };
  });
  return [...catalog.list().map(modelDocument), ...aliases];
}

function modelDocument(model: CatalogModel): ModelDocument {
  const { platform, upstreamModel, source, retires, isForTests } = model;
  const price = model.price === undefined ? null : toOperatorPrice(model.price);
  return {
    ...toModelEntry(model),
    ...{ price, platform, upstreamModel, source: source ?? null },
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
