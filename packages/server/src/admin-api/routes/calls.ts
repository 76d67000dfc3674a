import { listHolds } from '../../operations/calls/calls.ts';
import * as documents from '../../operations/documents.ts';
import { maskedCall } from '../../operations/seen.ts';
import { type AnyRoute, route } from '../route.ts';

const holds = route({
  method: 'GET',
  path: '/admin/v1/apps/:app/holds',
  action: 'look',
  apps: { named: 'path' },
  summary: 'The running calls of an app: who holds how much, since when; the oldest first',
  answer: documents.HoldsPage,
  async handle({ admin, who, parameters }) {
    const all = await listHolds(admin, parameters.app);
    const items = all
      .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
      .map((hold) => maskedCall(who, admin.store.ring, hold));
    return { body: { items, after: null } };
  },
});

/** Calls that run. */
export const callRoutes: readonly AnyRoute[] = [holds];
