import Type from 'typebox';
import { appRow } from '../../operations/apps/apps.ts';
import * as documents from '../../operations/documents.ts';
import { readEstimates } from '../../operations/reports/estimates.ts';
import { dayText, monthText, name, rangeOf } from '../queries.ts';
import { type AnyRoute, route } from '../route.ts';

const estimates = route({
  method: 'GET',
  path: '/admin/v1/estimates',
  action: 'spend',
  apps: 'own',
  summary: 'Costs that are estimates, by reason, platform and model',
  query: Type.Object(
    {
      from: Type.Optional(dayText),
      to: Type.Optional(dayText),
      month: Type.Optional(monthText),
      app: Type.Optional(name),
    },
    { additionalProperties: false },
  ),
  answer: documents.Estimates,
  async handle({ admin, apps, query }) {
    if (query.app !== undefined) await appRow(admin, query.app);
    const days = rangeOf(query, admin.clock.now());
    return { body: await readEstimates(admin, { ...days, apps }) };
  },
});

/** What is estimated, and why. */
export const estimateRoutes: readonly AnyRoute[] = [estimates];
