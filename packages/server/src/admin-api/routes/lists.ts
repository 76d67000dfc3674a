import * as documents from '../../operations/documents.ts';
import { checkModels, listModels } from '../../operations/models/models.ts';
import { visibleApps } from '../../operations/who.ts';
import { type AnyRoute, route } from '../route.ts';

const models = route({
  method: 'GET',
  path: '/admin/v1/models',
  action: 'look',
  apps: 'none',
  summary: 'The models of the catalog with their prices, then the aliases',
  answer: documents.ModelsPage,
  async handle({ catalog }) {
    return { body: { items: listModels(catalog), after: null } };
  },
});

const check = route({
  method: 'GET',
  path: '/admin/v1/models/check',
  action: 'look',
  apps: 'own',
  summary: 'Models without a price, without a source of it or out of date',
  answer: documents.ModelsCheck,
  async handle({ admin, who, catalog }) {
    const found = await checkModels(admin, catalog);
    const unpriced = found.unpriced.map((model) => ({
      ...model,
      apps: visibleApps(who, model.apps),
    }));
    return { body: { ...found, unpriced } };
  },
});

/** Models. */
export const listRoutes: readonly AnyRoute[] = [models, check];
