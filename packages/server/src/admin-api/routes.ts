import { allOperations } from '../operations/nouns.ts';
import { routesOf } from './as-route.ts';
import type { AnyRoute } from './route.ts';
import { callRoutes } from './routes/calls.ts';
import { changeRoutes } from './routes/changes.ts';
import { eventRoutes } from './routes/events.ts';
import { oidcRoutes } from './routes/oidc.ts';
import { openApiRoute } from './routes/openapi.ts';
import { roleRoutes } from './routes/roles.ts';
import { sessionRoutes } from './routes/session.ts';
import { todayRoutes } from './routes/today.ts';

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
    ...roleRoutes,
    ...eventRoutes,
    ...changeRoutes,
    ...(await routesOf(await allOperations())),
  ];
  return [openApiRoute(described), ...described];
}
