import { endSession, logIn } from '../../operations/access/console-sessions.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';
import { rightsOf, type Who } from '../../operations/context/who.ts';
import { Done, LoggedIn, LogIn, SessionDocument } from '../../operations/documents/access.ts';
import { cookieNameOf, cookieOf, sessionCookie } from '../auth/cookies.ts';
import { sharesCookies } from '../http/origin.ts';
import { type AnyRoute, type Asked, route } from './route.ts';

export const sessionRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/session',
    action: 'anyone',
    apps: 'none',
    summary: 'Logs in with the one-time code of a login link',
    body: LogIn,
    answer: LoggedIn,
    handle: logInByCode,
  }),
  route({
    method: 'GET',
    path: '/admin/v1/session',
    action: 'signed-in',
    apps: 'none',
    summary: 'The current session and its permissions',
    answer: SessionDocument,
    handle: async (asked) => ({ body: sessionDocument(asked, asked.who) }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/v1/session',
    action: 'signed-in',
    apps: 'none',
    summary: 'Logs out and deletes the session',
    answer: Done,
    async handle(asked) {
      const { who, admin } = asked;
      if (who.via === 'session') await endSession(admin, who.id);
      return { body: { done: who.via === 'session' }, cookies: [sessionCookie(asked, '')] };
    },
  }),
];

async function logInByCode(asked: Asked<string, unknown, LogIn>) {
  const { admin, config, request, log, guesses, body } = asked;
  const cookie = cookieOf(request, cookieNameOf(asked));
  const needsPageSecret = sharesCookies(request, config);
  const options = { hours: config.console.sessionHours, cookie, needsPageSecret };
  const opened = await logIn(admin, body.code, options);
  if (opened === undefined) {
    log.warn(
      { address: request.address },
      'console login failed: the code is invalid or already used',
    );
    if (!guesses.take(request.address)) {
      throw new ConsoleError(
        'LIMITED',
        'Too many wrong codes. Wait a minute, or enter a valid code',
      );
    }
    throw new ConsoleError(
      'UNAUTHENTICATED',
      'The code is invalid, already used, or older than 5 minutes',
    );
  }
  const { session, pageSecret = null } = opened;
  const who: Who = { ...session, via: 'session', may: rightsOf(session.role, config.console) };
  return {
    body: { ...sessionDocument(asked, who), pageSecret },
    cookies: [sessionCookie(asked, opened.cookie)],
  };
}

function sessionDocument({ config, version }: Pick<Asked, 'config' | 'version'>, who: Who) {
  const { name, role, apps = null, may, via, expiresAt = 0 } = who;
  const { company } = config;
  return { name, role, apps, may, via, expiresAt: iso(expiresAt), version, company };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
