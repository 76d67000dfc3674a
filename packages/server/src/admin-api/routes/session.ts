import { endSession, logIn } from '../../operations/access/console-sessions.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';
import { rightsOf, type Session } from '../../operations/context/session.ts';
import { Done, LogIn, LoginResult, SessionDocument } from '../../operations/documents/access.ts';
import { cookieNameOf, cookieOf, sessionCookie } from '../auth/cookies.ts';
import { sharesCookies } from '../http/origin.ts';
import { type AnyRoute, type RouteContext, route } from './route.ts';

export const sessionRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/session',
    action: 'anyone',
    apps: 'none',
    summary: 'Logs in with the one-time code of a login link',
    body: LogIn,
    answer: LoginResult,
    handle: logInByCode,
  }),
  route({
    method: 'GET',
    path: '/admin/v1/session',
    action: 'signed-in',
    apps: 'none',
    summary: 'The current session and its permissions',
    answer: SessionDocument,
    handle: async (context) => ({ body: sessionDocument(context, context.session) }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/v1/session',
    action: 'signed-in',
    apps: 'none',
    summary: 'Logs out and deletes the session',
    answer: Done,
    async handle(context) {
      const { session, admin } = context;
      if (session.via === 'session') await endSession(admin, session.id);
      return { body: { done: session.via === 'session' }, cookies: [sessionCookie(context, '')] };
    },
  }),
];

async function logInByCode(context: RouteContext<string, unknown, LogIn>) {
  const { admin, config, request, log, guesses, body } = context;
  const cookie = cookieOf(request, cookieNameOf(context));
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
  const loggedIn: Session = {
    ...session,
    via: 'session',
    permissions: rightsOf(session.role, config.console),
  };
  return {
    body: { ...sessionDocument(context, loggedIn), pageSecret },
    cookies: [sessionCookie(context, opened.cookie)],
  };
}

function sessionDocument(
  { config, version }: Pick<RouteContext, 'config' | 'version'>,
  session: Session,
) {
  const { name, role, apps = null, permissions, via, expiresAt = 0 } = session;
  const { company } = config;
  return { name, role, apps, may: permissions, via, expiresAt: iso(expiresAt), version, company };
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
