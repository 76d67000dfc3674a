import Type from 'typebox';
import { readEstimates } from '../../admin/estimates.ts';
import * as documents from '../documents/index.ts';
import { dayText, monthText, name, rangeOf } from '../queries.ts';
import { type AnyRoute, route } from '../route.ts';
import { appsOf } from '../seen.ts';
import { checkIsThere } from './today.ts';

const estimates = route({
  method: 'GET',
  path: '/admin/v1/estimates',
  action: 'spend',
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
  async handle({ admin, who, query }) {
    if (query.app !== undefined) await checkIsThere({ admin, who }, query.app);
    const days = rangeOf(query, admin.clock.now());
    return { body: await readEstimates(admin, { ...days, apps: appsOf(who, query.app) }) };
  },
});

/** What is estimated, and why. */
export const estimateRoutes: readonly AnyRoute[] = [estimates];
