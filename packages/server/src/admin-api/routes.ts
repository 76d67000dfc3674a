import { logins } from '../operations/access/logins.ts';
import { tokens } from '../operations/access/tokens.ts';
import { apps } from '../operations/apps/operations.ts';
import { budgets } from '../operations/budgets/operations.ts';
import { calls } from '../operations/calls/operations.ts';
import { keys } from '../operations/keys/operations.ts';
import { runs } from '../operations/runs/operations.ts';
import { today } from '../operations/today/operations.ts';
import { routesOf } from './as-route.ts';
import type { AnyRoute } from './route.ts';
import { callRoutes } from './routes/calls.ts';
import { changeRoutes } from './routes/changes.ts';
import { estimateRoutes } from './routes/estimates.ts';
import { eventRoutes } from './routes/events.ts';
import { listRoutes } from './routes/lists.ts';
import { oidcRoutes } from './routes/oidc.ts';
import { openApiRoute } from './routes/openapi.ts';
import { reconcileRoutes } from './routes/reconcile.ts';
import { reportRoutes } from './routes/reports.ts';
import { sessionRoutes } from './routes/session.ts';
import { spendRoutes } from './routes/spend.ts';

const nouns = [today, apps, keys, budgets, runs, tokens, calls, logins];

/**
 * Every route of the admin API: those of described operations, and tables of subjects, each a file
 * in `routes` and a line here.
 */
export async function loadRoutes(): Promise<readonly AnyRoute[]> {
  const described = [
    ...sessionRoutes,
    ...oidcRoutes,
    ...callRoutes,
    ...spendRoutes,
    ...estimateRoutes,
    ...listRoutes,
    ...reconcileRoutes,
    ...reportRoutes,
    ...eventRoutes,
    ...changeRoutes,
    ...(await routesOf(nouns.flatMap(({ operations }) => operations))),
  ];
  return [openApiRoute(described), ...described];
}
