import { Type } from 'typebox';
import { adminOpenApi } from './openapi-document.ts';
import { type AnyRoute, route } from './route.ts';

export function openApiRoute(others: readonly AnyRoute[]): AnyRoute {
  const own: AnyRoute = route({
    method: 'GET',
    path: '/admin/openapi.json',
    action: 'anyone',
    apps: 'none',
    summary: 'This description',
    answer: Type.Object({}, { description: 'A document of OpenAPI 3.1' }),
    handle: async ({ version }) => ({ body: adminOpenApi([own, ...others], version) }),
  });
  return own;
}
