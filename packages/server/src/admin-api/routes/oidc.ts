import { Type } from 'typebox';
import { openPersonSession } from '../../operations/access/console-sessions.ts';
import {
  ConsoleError,
  type ErrorCode,
  errorStatuses,
} from '../../operations/context/console-error.ts';
import { cookieNameOf, cookieOf, sessionCookie } from '../auth/cookies.ts';
import { loginCookie, loginIn, noLoginCookie, ownPage } from '../auth/login-state.ts';
import type { Oidc } from '../auth/oidc.ts';
import { accessOf } from '../auth/oidc-access.ts';
import { sharesCookies } from '../http/origin.ts';
import { type Answer, type AnyRoute, type RouteContext, route } from './route.ts';

const begin = '/admin/v1/login/oidc';
const callback = `${begin}/callback`;
const texts = { additionalProperties: false };
const Back = Type.Object({ back: Type.Optional(Type.String({ maxLength: 1_024 })) }, texts);
const Callback = Type.Record(Type.String(), Type.String({ maxLength: 2_048 }));

export const oidcRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: begin,
    action: 'anyone',
    apps: 'none',
    summary: 'Sends the browser to the company login; `back` is the page to show afterwards',
    query: Back,
    answer: Type.Object({}, { description: 'Redirect to the provider' }),
    answerType: 'text/html',
    status: 303,
    handle: beginLogin,
  }),
  route({
    method: 'GET',
    path: callback,
    action: 'anyone',
    apps: 'none',
    summary: 'Callback of the provider',
    query: Callback,
    answer: Type.Object({}, { description: 'Page that redirects to the console' }),
    answerType: 'text/html',
    isTop: true,
    handle: finishLogin,
  }),
];

async function beginLogin(
  context: RouteContext<string, { readonly back?: string }>,
): Promise<Answer> {
  const { query } = context;
  const oidc = oidcOf(context);
  try {
    const { url, ...begun } = await oidc.begin(callbackOf(context));
    const login = { ...begun, back: ownPage(query.back) };
    return { location: url.href, cookies: [loginCookie(context, login)] };
  } catch (error) {
    return refusal(context, 'AWAY', away, error);
  }
}

async function finishLogin(
  context: RouteContext<string, Readonly<Record<string, string>>>,
): Promise<Answer> {
  const { admin, config, request, query } = context;
  const oidc = oidcOf(context);
  const login = loginIn(context, request, query.state);
  if (login === undefined)
    return failure(context, 'This browser has no login in progress, or it expired.');
  let claims: Awaited<ReturnType<Oidc['finish']>>;
  try {
    const url = new URL(callbackOf(context));
    url.search = request.url.slice(request.url.indexOf('?') + 1);
    claims = await oidc.finish(url, login);
  } catch (error) {
    if (isAway(error)) return refusal(context, 'AWAY', away, error);
    return failure(context, 'The login is invalid or already used. Start it again.', error);
  }
  const access = accessOf(oidc.config, claims);
  if ('why' in access) return refusal(context, 'FORBIDDEN', access.why);
  const { cookie, pageSecret } = await openPersonSession(admin, access, {
    hours: config.console.sessionHours,
    cookie: cookieOf(request, cookieNameOf(context)),
    needsPageSecret: sharesCookies(request, config),
    person: `${oidc.config.issuer} ${String(claims.sub)}`,
  });
  return {
    html: pageTo(login.back, pageSecret),
    cookies: [sessionCookie(context, cookie), noLoginCookie(context)],
  };
}

const away =
  'The company login is not responding. Try again, or ask your operator for a login link.';

function oidcOf({ oidc }: RouteContext<string, unknown>): Oidc {
  if (oidc === undefined) throw new ConsoleError('NOT_FOUND', 'Unknown route');
  return oidc;
}

/** Uses the host name of the browser's request. */
function callbackOf({ config, request }: RouteContext<string, unknown>): string {
  const own = config.console.url ?? `http://${request.headers.host ?? ''}`;
  return `${own}${callback}`;
}

/** An invalid callback counts like a wrong code. */
function failure(context: RouteContext, why: string, error?: unknown): Answer {
  const { guesses, request } = context;
  const isTooMany = !guesses.take(request.address);
  if (isTooMany)
    return refusal(context, 'LIMITED', 'Too many failed logins. Wait a minute.', error);
  return refusal(context, 'UNAUTHENTICATED', why, error);
}

/** Logs only the kind of the error, because the library's message might quote a token. */
function refusal(
  context: RouteContext<string, unknown>,
  code: ErrorCode,
  why: string,
  error?: unknown,
): Answer {
  const { log, request } = context;
  const facts = { address: request.address, why, ...(error === undefined ? {} : faultOf(error)) };
  log.warn(facts, 'console login failed');
  const status = errorStatuses[code];
  return { html: pageOfRefusal(why), status, cookies: [noLoginCookie(context)] };
}

function faultOf(error: unknown) {
  const fault = Object(error);
  const words = (value: unknown) => (typeof value === 'string' ? value.slice(0, 80) : undefined);
  return { fault: words(fault.name), code: words(fault.code), error: words(fault.error) };
}

/** True if the login is not at fault. */
function isAway(error: unknown): boolean {
  const { name, code } = Object(error);
  const codes = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'];
  return name === 'TypeError' || name === 'TimeoutError' || codes.includes(code);
}

/**
 * The session's cookie is not sent with another site's link. The page secret is after the `#`,
 * which browsers do not send. The console removes it at once.
 */
function pageTo(path: string, pageSecret: string | undefined): string {
  const href = escaped(pageSecret === undefined ? path : `${path}#secret=${pageSecret}`);
  return page(
    'Logged in',
    `<meta http-equiv="refresh" content="0;url=${href}">`,
    `<p><a href="${href}">Continue</a></p>`,
  );
}

function pageOfRefusal(why: string): string {
  const again = '<p><a href="/console/">Back to login</a></p>';
  return page('Not logged in', '', `<h1>Not logged in</h1><p>${escaped(why)}</p>${again}`);
}

function page(title: string, head: string, body: string): string {
  const meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">';
  return `<!doctype html><html lang="en"><head>${meta}<title>${title}</title>${head}</head><body><main>${body}</main></body></html>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
