import { tokens } from '../operations/access/tokens.ts';
import { log } from '../operations/audit-log/operations.ts';
import { budgets } from '../operations/budgets/operations.ts';
import { holds } from '../operations/calls/holds.ts';
import { days } from '../operations/days/operations.ts';
import { notify } from '../operations/hooks/operations.ts';
import { keys } from '../operations/keys/operations.ts';
import { runs } from '../operations/runs/operations.ts';
import { users } from '../operations/users/operations.ts';
import { wallets } from '../operations/wallets/operations.ts';
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
import { roleRoutes } from './routes/roles.ts';
import { sessionRoutes } from './routes/session.ts';
import { spendRoutes } from './routes/spend.ts';
import { todayRoutes } from './routes/today.ts';

const nouns = [keys, budgets, runs, tokens, users, wallets, days, holds, log, notify];

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
    ...spendRoutes,
    ...estimateRoutes,
    ...listRoutes,
    ...reconcileRoutes,
    ...roleRoutes,
    ...reportRoutes,
    ...eventRoutes,
    ...changeRoutes,
    ...(await routesOf(nouns.flatMap(({ operations }) => operations))),
  ];
  return [openApiRoute(described), ...described];
}
