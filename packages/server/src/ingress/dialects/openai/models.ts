import { CallError } from '../../../calls/model/call-error.ts';
import type { CatalogModel } from '../../../catalog/catalog.ts';
import type { ReportHandler } from '../../exchange/dialect.ts';
import { pathParameter } from '../path-parameter.ts';
import { type UsableModelsParts, usableModels } from '../usable-models.ts';

export function createModelsRoute(parts: UsableModelsParts): ReportHandler {
  return {
    kind: 'report',
    isForRun: () => true,
    report: async (app) => ({ object: 'list', data: usableModels(app, parts).map(entryOf) }),
  };
}

export function createModelRoute(parts: UsableModelsParts): ReportHandler {
  return {
    kind: 'report',
    isForRun: () => true,
    async report(app, parameters) {
      const id = pathParameter(parameters[0]);
      const found = usableModels(app, parts).find((model) => model.id === id);
      if (found !== undefined) return entryOf(found);
      const message = `There is no model ${id} that the app ${app.name} may use; GET /openai/v1/models lists those that there are.`;
      throw new CallError('NOT_FOUND', message, { model: id, param: 'model' });
    },
  };
}

/** Creation time is unknown, but the field is mandatory. */
function entryOf({ id }: CatalogModel) {
  return { id, object: 'model', created: 0, owned_by: 'model-gateway' };
}
