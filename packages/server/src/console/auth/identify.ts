import { findToken } from '../../admin/admin-tokens.ts';
import { findSession } from '../../admin/console-sessions.ts';
import type { AdminContext } from '../../admin/context.ts';
import type { Config } from '../../domain/config.ts';
import type { ConsoleRequest } from '../http.ts';
import { rightsOf } from '../roles.ts';
import type { Who } from '../who.ts';
import { cookieNameOf, cookieOf } from './cookies.ts';

/** Who asks: by the token that a request carries, else by its cookie. */
export function createIdentify(
  admin: AdminContext,
  config: Config,
): (request: ConsoleRequest) => Promise<Who | undefined> {
  const cookieName = cookieNameOf({ config });
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      const [, token = ''] = /^Bearer ([\w]{1,256})$/i.exec(authorization) ?? [];
      const found = await findToken(admin, token);
      return found && { ...found, may: rightsOf(found.role, config.console), via: 'token' };
    }
    const cookie = cookieOf(request, cookieName);
    const found = cookie === undefined ? undefined : await findSession(admin, cookie);
    return found && { ...found, may: rightsOf(found.role, config.console), via: 'session' };
  };
}
