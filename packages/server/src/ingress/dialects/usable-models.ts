import { type PricingRules, pricingOf } from '../../calls/admission/pricing.ts';
import type { Catalog, CatalogModel } from '../../catalog/catalog.ts';
import type { App } from '../../domain/registered-app.ts';

/** What decides which models an app may use. */
export type UsableModelsParts = PricingRules & {
  readonly catalog: Pick<Catalog, 'list'>;
  /** Whether the platform has just told this app that it does not have the model. */
  readonly isMissing: (app: string, model: string) => boolean;
};

/** The models that an app may use, by id: one that all its calls are refused for is none. */
export function usableModels(app: App, parts: UsableModelsParts): readonly CatalogModel[] {
  return parts.catalog.list().filter((model) => mayUse(app, model, parts));
}

function mayUse(app: App, model: CatalogModel, parts: UsableModelsParts): boolean {
  if (parts.isMissing(app.name, model.id)) return false;
  if (app.models !== undefined && !app.models.has(model.id)) return false;
  return pricingOf(app, model, parts).kind !== 'refused';
}
