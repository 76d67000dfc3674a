import type { RequestLog } from '../calls/model/request-log.ts';
import type { Run } from '../domain/run.ts';
import type { OneShotSource } from '../lib/one-shot.ts';
import type { RouteMatch } from '../lib/router.ts';
import type { RequestTrace } from '../tracing/request-trace.ts';
import type { Authorized } from './access.ts';
import type { Dialect } from './exchange/dialect.ts';
import type { IncomingRequest } from './exchange/request.ts';
import type { Route } from './exchange/route-table.ts';

/** A request with a permit. */
export interface AuthorizedRequest extends Authorized {
  readonly requestId: string;
  readonly request: IncomingRequest;
  readonly dialect: Dialect;
  /** Undefined where no route takes it. */
  readonly match: RouteMatch<Route> | undefined;
  /** Comes when no caller waits for the answer any more. */
  readonly callerGone: OneShotSource;
  readonly log: RequestLog;
  /** Where it stands in its caller's trace; undefined where it is in none. */
  readonly trace: RequestTrace | undefined;
  /** When it came, by the clock that does not go back. */
  readonly startedMs: number;
}

/** A run asks for calls, and for little else. */
export function isForRun({ match }: AuthorizedRequest, run: Run): boolean {
  const route = match?.route;
  if (route?.kind !== 'report' && route?.kind !== 'ask') return true;
  return route.isForRun?.(run, match?.parameters ?? []) === true;
}
