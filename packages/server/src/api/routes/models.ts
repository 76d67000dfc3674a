import type { Catalog } from '../../catalog/catalog.ts';
import { toModelEntry } from '../../catalog/model-entry.ts';
import { ok, type Route } from './route.ts';

/** `GET /v1/models`: the models that the caller's app may use. */
export function createModelsRoute({ catalog }: { catalog: Catalog }): Route {
  return async ({ app }) => {
    const allowed = catalog.list().filter((model) => app.models?.has(model.id) ?? true);
    return ok({ models: allowed.map(toModelEntry) });
  };
}
