import Type from 'typebox';
import { readingAside } from '../../operations/context.ts';
import * as documents from '../../operations/documents.ts';
import { reconcile } from '../../operations/reconcile/reconcile-show.ts';
import { dayText, monthText, name, rangeOf } from '../queries.ts';
import { type AnyRoute, route } from '../route.ts';

/** What platforms bill, beside what is booked. */
export const reconcileRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/admin/v1/reconcile',
    action: 'money',
    apps: 'all',
    summary: 'Invoices that were imported, beside the books: by platform, UTC day, app and model',
    query: Type.Object(
      {
        month: Type.Optional(monthText),
        from: Type.Optional(dayText),
        to: Type.Optional(dayText),
        platform: Type.Optional(name),
        app: Type.Optional(name),
      },
      { additionalProperties: false },
    ),
    answer: documents.ReconciledPage,
    async handle({ admin, catalog, query }) {
      const { platform, app } = query;
      const range = rangeOf(query, admin.clock.now());
      const asked = { ...range, platform, app };
      const items = await admin.turns.take(() => reconcile(readingAside(admin), catalog, asked));
      return { body: { items, after: null } };
    },
  }),
];
