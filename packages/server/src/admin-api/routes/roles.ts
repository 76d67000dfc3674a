import { RightsPage } from '../../operations/access/documents.ts';
import { rightNames, rights } from '../../operations/roles.ts';
import { type AnyRoute, route } from '../route.ts';

/** The table of roles, as the service itself goes by it. */
export const roleRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/admin/v1/roles',
    action: 'signed-in',
    apps: 'none',
    summary: 'Which roles may what',
    answer: RightsPage,
    async handle() {
      const items = rightNames.map((right) => {
        const { says, roles } = rights[right];
        return { right, says, roles: [...roles] };
      });
      return { body: { items, after: null } };
    },
  }),
];
