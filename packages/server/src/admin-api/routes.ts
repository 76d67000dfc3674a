import { tokens } from '../operations/access/tokens.ts';
import { budgets } from '../operations/budgets/operations.ts';
import { keys } from '../operations/keys/operations.ts';
import { jobs } from '../operations/reports/job-operations.ts';
import { spend } from '../operations/reports/spend-operations.ts';
import { runs } from '../operations/runs/operations.ts';
import { routesOf } from './as-route.ts';
import type { AnyRoute } from './route.ts';
import { callRoutes } from './routes/calls.ts';
import { changeRoutes } from './routes/changes.ts';
import { eventRoutes } from './routes/events.ts';
import { listRoutes } from './routes/lists.ts';
import { oidcRoutes } from './routes/oidc.ts';
import { openApiRoute } from './routes/openapi.ts';
import { reconcileRoutes } from './routes/reconcile.ts';
import { roleRoutes } from './routes/roles.ts';
import { sessionRoutes } from './routes/session.ts';
import { todayRoutes } from './routes/today.ts';

const nouns = [keys, budgets, runs, tokens, spend, jobs];

/**
 * Every route of the admin API: those of described operations, and tables of subjects, each a file
 * in `routes` and a line here.
 */
export async function loadRoutes(): Promise<readonly AnyRoute[]> {
  const described = [
    ...sessionRoutes,
    ...oidcRoutes,
    ...todayRoutes,
    ...callRoutes,
    ...listRoutes,
    ...reconcileRoutes,
    ...roleRoutes,
    ...eventRoutes,
    ...changeRoutes,
    ...(await routesOf(nouns.flatMap(({ operations }) => operations))),
  ];
  return [openApiRoute(described), ...described];
}
