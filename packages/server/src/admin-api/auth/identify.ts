import type { Config } from '../../domain/config.ts';
import { findSession } from '../../operations/access/console-sessions.ts';
import { findToken } from '../../operations/access/tokens.ts';
import type { AdminContext } from '../../operations/context/context.ts';
import { rightsOf, type Session } from '../../operations/context/session.ts';
import type { ConsoleRequest } from '../http/http.ts';
import { cookieNameOf, cookiesOf, pageSecretHeader } from './cookies.ts';

/** By the token if present, else by cookie and page secret. */
export function createIdentify(
  admin: AdminContext,
  config: Config,
): (request: ConsoleRequest) => Promise<Session | undefined> {
  const cookieName = cookieNameOf({ config });
  return async (request) => {
    const token = bearerOf(request);
    if (token !== undefined) {
      const login = await findToken(admin, /^\w{1,256}$/.test(token) ? token : '');
      return login && { ...login, permissions: rightsOf(login.role, config.console), via: 'token' };
    }
    const cookies = cookiesOf(request, cookieName);
    const pageSecret = request.headers[pageSecretHeader];
    const login = await findSession(admin, { cookies, pageSecret });
    return login && { ...login, permissions: rightsOf(login.role, config.console), via: 'session' };
  };
}

/** Ignores other schemes: they belong to a proxy, and the browser sends them with its session. */
export function bearerOf({ headers }: Pick<ConsoleRequest, 'headers'>): string | undefined {
  return /^Bearer\b ?(.*)$/i.exec(headers.authorization ?? '')?.[1];
}
