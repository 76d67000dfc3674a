import type { App } from '../domain/registered-app.ts';
import type { Run } from '../domain/run.ts';
import type { RequestWork } from '../lib/work.ts';
import { adoptionOf } from './adoption.ts';
import type { AuthorizedRequest } from './authorized-request.ts';
import { checkBodyHeaders, isCounted, readJson } from './body/read-json.ts';
import type {
  AskHandler,
  CallHandler,
  ReportHandler,
  RequestHead,
  StreamHandler,
} from './dialects/dialect.ts';
import type { IncomingRequest, ReceivedBody } from './http/request.ts';
import { limited } from './refusal.ts';
import type { Route } from './route-table.ts';

/** A request whose body has come, for a route of its app. */
export interface ReceivedRequest extends AuthorizedRequest {
  readonly app: App;
  readonly found: Route & (AskHandler | CallHandler | ReportHandler | StreamHandler);
  readonly work: RequestWork;
}

/**
 * Reads a body, and starts what its route does with it. Throws what is wrong with it. Many calls
 * wait for their platforms: no frame that waits may hold a body's bytes or its text, so they are
 * read here, where nothing waits, and let go.
 */
export function readRequest(authorized: ReceivedRequest, body: ReceivedBody | undefined) {
  const { request, dialect, caller, permit, log, app, found } = authorized;
  const { run } = caller;
  const bytes = body?.bytes;
  const idempotencyKey = dialect.idempotencyKey(inRun(request, run), bytes);
  if (found.kind === 'report') {
    const report = found.report(app, authorized.match?.parameters ?? [], bytes);
    return { kind: 'report', report } as const;
  }
  const bodyHead = {
    isTypeRepeated: request.isRepeated('content-type'),
    type: request.header('content-type'),
    encoding: request.header('content-encoding'),
  };
  checkBodyHeaders(bodyHead);
  const byRoute = found.kind === 'stream' ? dialect.stream.request(request) : undefined;
  const counts = { values: 0, names: 0 };
  const json = readJson(bodyHead.type, bytes, counts);
  if (body !== undefined && isCounted(json)) {
    body.values = counts.values;
    if (!permit.hasRoomParsed(counts)) return limited(log, 'body-bytes');
  }
  const context = {
    requestId: authorized.requestId,
    app,
    keyId: caller.key.id,
    remote: request.remote,
    trace: authorized.trace,
    run,
    route: found.name,
    idempotencyKey,
    permit,
    callerGone: authorized.callerGone,
    log,
    work: authorized.work,
    dialect: dialect.name,
    names: dialect.names,
    stream: byRoute,
    adoption:
      app.adoptRetries && idempotencyKey === undefined ? adoptionOf(authorized, bytes) : undefined,
  };
  if (found.kind === 'ask') {
    return { kind: 'ask', told: found.answer(json, context, request) } as const;
  }
  const parsing = found.parse(json, context, request);
  // Had it been refused, its values would have had to be counted.
  if (body?.values !== undefined) body.bytes = undefined;
  return { kind: 'call', parsing, context } as const;
}

/** The same request in another run is another one. */
function inRun(request: IncomingRequest, run: Run | undefined): RequestHead {
  if (run === undefined) return request;
  const { method, path, header, isRepeated } = request;
  return { method, path: `${path}\n${run.id}`, header, isRepeated };
}
