import type { RequestLog } from '../calls/model/request-log.ts';
import type { Plans } from '../domain/plan.ts';
import type { Run } from '../domain/run.ts';
import type { OneShotSource } from '../lib/one-shot.ts';
import type { RouteMatch } from '../lib/router.ts';
import type { RequestTrace } from '../tracing/request-trace.ts';
import type { Authorized } from './access.ts';
import type { Dialect } from './exchange/dialect.ts';
import type { IncomingRequest } from './exchange/request.ts';
import type { Route } from './exchange/route-table.ts';

export interface AuthorizedRequest extends Authorized {
  readonly requestId: string;
  readonly request: IncomingRequest;
  readonly dialect: Dialect;
  readonly plans: Plans;
  readonly match: RouteMatch<Route> | undefined;
  readonly callerDisconnected: OneShotSource;
  readonly log: RequestLog;
  readonly trace: RequestTrace | undefined;
  /** Monotonic. */
  readonly startedMs: number;
}

/** A run's key can make calls, and little else. */
export function isForRun({ match }: AuthorizedRequest, run: Run): boolean {
  const route = match?.route;
  if (route?.kind !== 'report' && route?.kind !== 'ask') return true;
  return route.isForRun?.(run, match?.parameters ?? []) === true;
}
