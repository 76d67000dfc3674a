import type { CatalogModel } from '../../../../catalog/catalog.ts';
import { toModelEntry } from '../../../../catalog/model-entry.ts';
import type { App } from '../../../../domain/registered-app.ts';
import type { ReportHandler } from '../../../exchange/dialect.ts';
import { type UsableModelsParts, usableModels } from '../../usable-models.ts';

export type ModelsParts = UsableModelsParts & {
  readonly isStreaming: (app: App) => boolean;
  readonly canStream: (model: CatalogModel) => boolean;
};

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
