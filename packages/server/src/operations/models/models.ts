import type { ModelEntry } from '@model-gateway/contract';
import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import { type OperatorPrice, toModelEntry, toOperatorPrice } from '../../catalog/model-entry.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { selectApps } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context.ts';
import { checkRows, type RowsCheck } from './model-rows.ts';

/** A row of the catalog as operators read it. */
export interface ModelDocument extends ModelEntry {
  readonly price: OperatorPrice | null;
  readonly platform: string;
  readonly upstreamModel: string;
  /** Where the price was read; null without one, and for rows of the configuration. */
  readonly source: string | null;
  /** The UTC day from whose start its vendor does not serve it, where that is known. */
  readonly retires?: string;
  /** It plays a failure or a special case of the simulator. */
  readonly isForTests?: true;
  /** Of an alias: the ids of its models, in the order in which they are asked. */
  readonly route?: readonly string[];
}

/** What `models check` prints. */
export interface ModelsCheck extends RowsCheck {
  /** Models that a call can be routed to and whose calls would count as $0. */
  readonly unpriced: readonly UnpricedModel[];
  /** Prices that stand on no price list. */
  readonly withoutSource: readonly Pick<ModelDocument, 'id' | 'platform' | 'price'>[];
  /** Models whose streams have no counts, so that each is booked by an estimate; if any. */
  readonly streamsEstimated?: readonly Pick<ModelDocument, 'id' | 'platform'>[];
}

/** A model without a price. */
export interface UnpricedModel {
  readonly id: string;
  readonly platform: string;
  /** False when only the allow-lists of `apps` name it: it goes to the default platform. */
  readonly listed: boolean;
  /** The apps whose allow-list names it. */
  readonly apps: readonly string[];
}

/** Those of a check that may cost money: what the simulator ships with does not. */
export function unpricedForReal(
  { unpriced }: ModelsCheck,
  platforms: readonly PlatformFacts[],
): readonly UnpricedModel[] {
  const simulators = new Set(
    platforms.filter(({ kind }) => kind === 'simulator').map(({ name }) => name),
  );
  return unpriced.filter(({ platform, listed }) => !listed || !simulators.has(platform));
}

/** The catalog, by id; then its aliases. */
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

/** Routable models without a price, prices without a source, and rows that are out of date. */
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
