import { routes, streamingPaths } from '@model-gateway/contract';
import type { Answer } from '../../../calls/answer.ts';
import { ApiError } from '../../../calls/call-error.ts';
import type { Permit } from '../../../calls/permit.ts';
import type { RequestLog } from '../../../calls/request-log.ts';
import type { Moment } from '../../../lib/moment.ts';
import type { ApiKey } from '../../../registry/app.ts';
import type { Registry } from '../../../registry/registry.ts';
import { readJson } from '../../body/read-json.ts';
import { appOf } from '../../caller.ts';
import { caughtAnswer } from '../../caught.ts';
import { checkBodyHeaders, idempotencyKeyOf } from './headers.ts';
import { noRoute } from './no-route.ts';
import type { Route } from './routes/route.ts';

/** A request that has passed the edge. */
export interface ApiRequest {
  readonly method: string;
  /** The path alone, as sent. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  /** Whether a header came on more than one line. */
  readonly isRepeated: (name: string) => boolean;
  /** Undefined where the request has none. */
  readonly body: Uint8Array | undefined;
  readonly key: ApiKey;
  readonly permit: Permit;
  readonly callerGone: Moment;
  readonly requestLog: RequestLog;
}

/** Answers every request that has passed the edge; never throws. */
export type Api = (request: ApiRequest) => Promise<Answer>;

/** The routes by their names in the contract. */
export type RouteTable = Readonly<
  Record<'usage' | 'models' | 'credits' | 'chat' | 'objects' | 'agents', Route>
>;

/** The API: caller, route, body, and the one boundary that turns errors into answers. */
export function createApi(parts: { registry: Registry; routes: RouteTable }): Api {
  const find = createFinder(parts.routes);
  return async (request) => {
    try {
      const app = appOf(request.key, parts.registry);
      request.requestLog.app = app.name;
      const { name, route, parameter } = find(request.method, request.path);
      const { permit, callerGone, requestLog: log } = request;
      const idempotencyKey = idempotencyKeyOf(request);
      return await route({
        app,
        parameter,
        readJson() {
          checkBodyHeaders(request);
          return readJson(request.header('content-type'), request.body);
        },
        context: { app, route: name, idempotencyKey, permit, callerGone, log },
      });
    } catch (error) {
      return caughtAnswer(error, request.requestLog);
    }
  };
}

function createFinder(table: RouteTable) {
  const exact = new Map(
    (['usage', 'models', 'chat', 'objects', 'agents'] as const).map((name) => {
      const { method, path } = routes[name];
      return [`${method} ${path}`, { name, route: table[name], parameter: '' }];
    }),
  );
  const creditsPrefix = routes.credits.path.slice(0, routes.credits.path.indexOf(':'));
  return (method: string, path: string): { name: string; route: Route; parameter: string } => {
    const found = exact.get(`${method} ${path}`);
    if (found !== undefined) return found;
    if (method === routes.credits.method && path.startsWith(creditsPrefix)) {
      const rest = path.slice(creditsPrefix.length);
      if (rest !== '' && !rest.includes('/')) {
        return { name: 'credits', route: table.credits, parameter: decode(rest) };
      }
    }
    if (streamingPaths.some((streaming) => streaming === path)) {
      throw new ApiError(
        'NOT_IMPLEMENTED',
        `Streaming is not available; use ${path.replace(/\/stream$/, '')} without it.`,
      );
    }
    throw noRoute(method, path);
  };
}

function decode(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    throw new ApiError('INVALID', 'The path holds a percent sign that is no UTF-8 escape.');
  }
}
