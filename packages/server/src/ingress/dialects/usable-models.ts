import { type PricingRules, pricingOf } from '../../calls/admission/pricing.ts';
import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import type { App } from '../../domain/registered-app.ts';

export type UsableModelsParts = PricingRules & {
  readonly catalog: Pick<Catalog, 'aliases' | 'list' | 'model' | 'isRetired'>;
  /** The platform recently denied this app the model. */
  readonly isMissing: (app: string, model: string) => boolean;
};

/** Sorted by id, aliases last. Excludes retired models and models that the app can never call. */
export function usableModels(app: App, parts: UsableModelsParts): readonly CatalogModel[] {
  const { catalog } = parts;
  const models = catalog.list().filter((model) => mayUse(app, model, parts));
  const aliases = catalog
    .aliases()
    .filter((alias) => alias.price !== undefined && mayUse(app, alias, parts));
  return [...models, ...aliases];
}

function mayUse(app: App, model: CatalogModel, parts: UsableModelsParts): boolean {
  if (parts.catalog.isRetired(model)) return false;
  if (parts.isMissing(app.name, parts.catalog.model(model.id).id)) return false;
  if (app.models !== undefined && !app.models.has(model.id)) return false;
  return pricingOf(app, model, parts).kind !== 'refused';
}
