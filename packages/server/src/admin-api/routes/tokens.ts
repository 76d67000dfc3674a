import { disableToken, issueToken, listTokens } from '../../operations/access/admin-tokens.ts';
import {
  AdminToken,
  IssuedToken,
  IssueToken,
  TokensPage,
  WithReason,
} from '../../operations/access/documents.ts';
import { type AnyRoute, route } from '../route.ts';

/** Tokens of scripts. */
export const tokenRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '/admin/v1/tokens',
    action: 'access',
    apps: 'all',
    summary: 'The tokens of scripts, the newest first',
    answer: TokensPage,
    handle: async ({ admin }) => ({ body: { items: await listTokens(admin), after: null } }),
  }),
  route({
    method: 'POST',
    path: '/admin/v1/tokens',
    action: 'access',
    apps: 'all',
    summary: 'Makes a token, shown once',
    body: IssueToken,
    answer: IssuedToken,
    status: 201,
    async handle({ admin, body }) {
      const { name, role, days, apps } = body;
      return { body: await issueToken(admin, { name, role, days, apps: apps ?? undefined }) };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/tokens/:id/disable',
    action: 'access',
    apps: 'all',
    summary: 'Disables a token for good',
    body: WithReason,
    answer: AdminToken,
    handle: async ({ admin, parameters }) => ({ body: await disableToken(admin, parameters.id) }),
  }),
];
