import type { CatalogModel } from '../../../../catalog/catalog.ts';
import { toModelEntry } from '../../../../catalog/model-entry.ts';
import type { App } from '../../../../domain/registered-app.ts';
import type { ReportHandler } from '../../../exchange/dialect.ts';
import { type UsableModelsParts, usableModels } from '../../usable-models.ts';

/** What the list of models depends on besides the caller's app. */
export type ModelsParts = UsableModelsParts & {
  /** Whether an app may have answers as they come, and which models can tell them so. */
  readonly isStreaming: (app: App) => boolean;
  readonly canStream: (model: CatalogModel) => boolean;
};

/** `GET /v1/models`: the models that the caller's app may use. */
export function createModelsRoute(parts: ModelsParts): ReportHandler {
  return {
    kind: 'report',
    isForRun: () => true,
    async report(app) {
      const isStreaming = parts.isStreaming(app);
      const entryOf = (model: CatalogModel) =>
        toModelEntry(model, isStreaming ? parts.canStream(model) : undefined);
      return { models: usableModels(app, parts).map(entryOf) };
    },
  };
}
