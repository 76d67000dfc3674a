import { hasNul, nulProblem } from '../lib/nul.ts';
import { createRareWarning } from '../lib/rare-warning.ts';
import { createRouter } from '../lib/router.ts';
import { ConsoleError, consoleErrorOf } from '../operations/context/console-error.ts';
import type { AdminContext } from '../operations/context/context.ts';
import {
  isSameAccess,
  type Session,
  unauthenticatedSession,
} from '../operations/context/session.ts';
import { withFormerNames } from '../operations/description/former-names.ts';
import { bearerOf } from './auth/identify.ts';
import {
  bearerChallenge,
  type ConsoleRequest,
  type ConsoleResponse,
  errorResponse,
  jsonResponse,
  readJsonBody,
  securityHeaders,
} from './http/http.ts';
import { checkHost, checkOrigin } from './http/origin.ts';
import { checkFits, queryOf } from './http/validate.ts';
import type { ConsoleParts } from './routes/console-parts.ts';
import type { Answer, AnyRoute, RouteContext } from './routes/route.ts';
import { appsOfRequest, checkAddress } from './routes/route-apps.ts';

export interface Console {
  takes(path: string): boolean;
  /** Never rejects. */
  handle(request: ConsoleRequest): Promise<ConsoleResponse>;
}

export interface ConsoleSetup {
  readonly parts: ConsoleParts;
  readonly admin: AdminContext;
  readonly routes: readonly AnyRoute[];
  /** Undefined without a login. */
  readonly identify: (request: ConsoleRequest) => Promise<Session | undefined>;
  readonly assets: (request: ConsoleRequest) => ConsoleResponse;
}

const bodyBytesMax = 65_536;
const urlCharactersMax = 2_048;

export function createConsole(setup: ConsoleSetup): Console {
  const find = createRouter(setup.routes);
  const warn = createRefusalWarnings(setup);
  const methods = [...new Set(setup.routes.map(({ method }) => method))];
  return { takes: isOfConsole, handle };

  async function handle(request: ConsoleRequest): Promise<ConsoleResponse> {
    try {
      return await answer(request);
    } catch (error) {
      const refusal = consoleErrorOf(error);
      if (refusal !== undefined) {
        warn(request, refusal);
        return errorResponse(refusal);
      }
      setup.parts.log.error({ error: String(error) }, 'console request failed');
      return errorResponse(new ConsoleError('INTERNAL', 'Internal error'));
    }
  }

  async function answer(request: ConsoleRequest): Promise<ConsoleResponse> {
    const { url, method } = request;
    const { console } = setup.parts.config;
    if (url.length > urlCharactersMax) throw new ConsoleError('TOO_LONG', 'The path is too long');
    checkHost(request, console.url);
    const [path = '', search = ''] = url.split('?', 2);
    if (isPage(path)) return setup.assets(request);
    if (path === '/' && isRead(method)) return toPages;
    const match = find(method, path) ?? findOpen(method, path);
    if (match === undefined) throw missing(path);
    return serve(setup, match, request, search);
  }

  function findOpen(method: string, path: string) {
    const match = method === 'HEAD' ? find('GET', path) : undefined;
    return match?.route.action === 'anyone' ? match : undefined;
  }

  function missing(path: string): ConsoleError {
    const others = methods.filter((method) => find(method, path) !== undefined).toSorted();
    if (others.length === 0) return new ConsoleError('NOT_FOUND', 'Unknown route');
    return new ConsoleError('NOT_ALLOWED_METHOD', `This route allows only ${others.join(', ')}`);
  }
}

/** All rejections come before any change. */
async function serve(
  setup: ConsoleSetup,
  { route, parameters }: { readonly route: AnyRoute; readonly parameters: readonly string[] },
  request: ConsoleRequest,
  search: string,
): Promise<ConsoleResponse> {
  const { parts, admin } = setup;
  const hasToken = bearerOf(request) !== undefined;
  const { url } = parts.config.console;
  if (route.isTop !== true) checkOrigin(request, { url, hasToken, types: route.files?.types });
  const session = await authorize(setup, route, request);
  if (session !== unauthenticatedSession)
    request.onLogin?.(isOfEvents(route) ? 'events' : 'response');
  const texts = queryOf(search);
  const query = route.readQuery?.(texts, admin.clock.now()) ?? texts;
  if (route.query !== undefined) checkFits(route.query, query);
  const address = { query, parameters: namedParameters(route.path, parameters) };
  await checkAddress({ admin, session }, route.apps, address);
  const body =
    route.body === undefined
      ? undefined
      : await readJsonBody(request, route.bodyBytesMax ?? bodyBytesMax);
  if (route.body !== undefined) checkFits(route.body, body);
  const apps = appsOfRequest(session, route.apps, { ...address, body });
  const context: RouteContext = {
    ...parts,
    ...{ ...address, session, apps, body, request, ifMatch: request.headers['if-match'] },
    hasSameAccess: async () => isSameAccess(session, await setup.identify(request)),
    admin: {
      ...admin,
      ...{
        actor: actorOf(session),
        reason: reasonOf(body),
        role: session.role,
        via: viaOf(session),
      },
    },
  };
  return responseOf(await route.handle(context), route);
}

function isOfEvents({ answerType }: AnyRoute): boolean {
  return answerType === 'text/event-stream';
}

async function authorize(
  setup: ConsoleSetup,
  { action }: AnyRoute,
  request: ConsoleRequest,
): Promise<Session> {
  if (action === 'anyone') return unauthenticatedSession;
  const session = await setup.identify(request);
  if (session === undefined) {
    const now = { oidc: setup.parts.oidc !== undefined };
    throw new ConsoleError('UNAUTHENTICATED', 'Log in: no valid session or token', { now });
  }
  if (action === 'signed-in' || session.permissions.includes(action)) return session;
  throw new ConsoleError('FORBIDDEN', `The role ${session.role} lacks this permission`);
}

function namedParameters(path: string, values: readonly string[]) {
  const names = path.split('/').filter((part) => part.startsWith(':'));
  return Object.fromEntries(names.map((name, at) => [name.slice(1), decoded(values[at] ?? '')]));
}

function decoded(sent: string): string {
  const text = decodedOrThrown(sent);
  if (!hasNul(text)) return text;
  throw new ConsoleError('INVALID', `The path ${nulProblem}`);
}

function decodedOrThrown(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConsoleError('INVALID', 'The path contains an invalid % escape');
  }
}

function actorOf({ via, name, id }: Session): string {
  return via === 'token' ? `token:${id}` : `console:${name}`;
}

function viaOf({ role, via, id }: Session): string | undefined {
  return via === 'nothing' ? undefined : `${role} ${via} ${id}`;
}

function reasonOf(body: unknown): string | undefined {
  const reason = typeof body === 'object' && body !== null ? Reflect.get(body, 'reason') : '';
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

/**
 * Logs possible attacks, without cookies, tokens or bodies. A page repeats a limited request, so
 * each code gets one line a minute, with a count.
 */
function createRefusalWarnings({ parts: { log }, admin: { clock } }: ConsoleSetup) {
  const warnings = new Map(
    ['CROSS_SITE', 'MISDIRECTED', 'LIMITED'].map((code) => [
      code,
      createRareWarning({ clock, log }, 'console request rejected'),
    ]),
  );
  return ({ method, url, address }: ConsoleRequest, { code }: ConsoleError) => {
    const path = url.split('?', 1)[0]?.slice(0, 200);
    warnings.get(code)?.({ code, method, path, address });
  };
}

function isOfConsole(path: string): boolean {
  return path === '/' || path.startsWith('/admin/') || isPage(path);
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

const toPages: ConsoleResponse = {
  status: 303,
  headers: { ...securityHeaders, location: '/console/' },
  body: '',
};

/** Company logins are below the console's path, but are routes. */
function isPage(path: string): boolean {
  return path === '/console' || path.startsWith('/console/');
}

function responseOf(answer: Answer, route: AnyRoute): ConsoleResponse {
  const { status = route.status ?? 200, cookies = [] } = answer;
  const more = cookies.length === 0 ? {} : { 'set-cookie': cookies };
  if ('body' in answer) {
    const tag = answer.etag === undefined ? {} : { etag: answer.etag };
    return jsonResponse(status, withFormerNames(route.answer, answer.body), { ...more, ...tag });
  }
  const headers = { ...securityHeaders, ...more };
  if ('csv' in answer) {
    const name = answer.name.replaceAll(/[^\w.-]/g, '_');
    const disposition = `attachment; filename="${name}"`;
    const own = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition };
    return { status, headers: { ...headers, ...own }, body: answer.csv };
  }
  if ('events' in answer) {
    const own = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    return { status, headers: { ...headers, ...own }, body: answer.events };
  }
  if ('html' in answer) {
    const challenge = status === 401 ? { 'www-authenticate': bearerChallenge } : {};
    const own = { 'content-type': 'text/html; charset=utf-8', ...challenge };
    return { status, headers: { ...headers, ...own }, body: answer.html };
  }
  return {
    status: answer.status ?? 303,
    headers: { ...headers, location: answer.location },
    body: '',
  };
}
