import { allOperations } from '../operations/nouns.ts';
import { routesOf } from './routes/as-route.ts';
import { eventRoutes } from './routes/events.ts';
import { oidcRoutes } from './routes/oidc.ts';
import { openApiRoute } from './routes/openapi-document.ts';
import type { AnyRoute } from './routes/route.ts';
import { sessionRoutes } from './routes/session.ts';

export async function loadRoutes(): Promise<readonly AnyRoute[]> {
  const operations = await routesOf(await allOperations());
  const described = [...sessionRoutes, ...oidcRoutes, ...eventRoutes, ...operations];
  return [openApiRoute(described), ...described];
}
