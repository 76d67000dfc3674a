import { findToken } from '../../admin/admin-tokens.ts';
import { findSession } from '../../admin/console-sessions.ts';
import type { AdminContext } from '../../admin/context.ts';
import type { Config } from '../../domain/config.ts';
import type { ConsoleRequest } from '../http.ts';
import { rightsOf } from '../roles.ts';
import type { Who } from '../who.ts';
import { bearerOf } from './bearer.ts';
import { cookieNameOf, cookiesOf, pageSecretHeader } from './cookies.ts';

/** Who asks: by the token that a request carries, else by its cookie and the page's secret. */
export function createIdentify(
  admin: AdminContext,
  config: Config,
): (request: ConsoleRequest) => Promise<Who | undefined> {
  const cookieName = cookieNameOf({ config });
  return async (request) => {
    const token = bearerOf(request);
    if (token !== undefined) {
      const found = await findToken(admin, /^\w{1,256}$/.test(token) ? token : '');
      return found && { ...found, may: rightsOf(found.role, config.console), via: 'token' };
    }
    const cookies = cookiesOf(request, cookieName);
    const pageSecret = request.headers[pageSecretHeader];
    const found = await findSession(admin, { cookies, pageSecret });
    return found && { ...found, may: rightsOf(found.role, config.console), via: 'session' };
  };
}
