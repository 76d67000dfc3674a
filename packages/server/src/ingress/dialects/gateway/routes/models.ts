import { type PricingRules, pricingOf } from '../../../../calls/admission/pricing.ts';
import type { Catalog, CatalogModel } from '../../../../catalog/catalog.ts';
import { toModelEntry } from '../../../../catalog/model-entry.ts';
import type { App } from '../../../../domain/registered-app.ts';
import type { ReportHandler } from '../../dialect.ts';

/** What the list of models depends on besides the caller's app. */
export type ModelsParts = PricingRules & {
  readonly catalog: Pick<Catalog, 'list'>;
  /** Whether the platform has just told this app that it does not have the model. */
  readonly isMissing: (app: string, model: string) => boolean;
  /** Whether an app may have answers as they come, and which models can tell them so. */
  readonly isStreaming: (app: App) => boolean;
  readonly canStream: (model: CatalogModel) => boolean;
};

/** `GET /v1/models`: the models that the caller's app may use. */
export function createModelsRoute(parts: ModelsParts): ReportHandler {
  return {
    kind: 'report',
    async report(app) {
      const usable = parts.catalog.list().filter((model) => mayUse(app, model, parts));
      const isStreaming = parts.isStreaming(app);
      const entryOf = (model: CatalogModel) =>
        toModelEntry(model, isStreaming ? parts.canStream(model) : undefined);
      return { models: usable.map(entryOf) };
    },
  };
}

/** A model that every call of the app is refused for is none that it may use. */
function mayUse(app: App, model: CatalogModel, rules: ModelsParts): boolean {
  if (rules.isMissing(app.name, model.id)) return false;
  if (app.models !== undefined && !app.models.has(model.id)) return false;
  return pricingOf(app, model, rules).kind !== 'refused';
}
