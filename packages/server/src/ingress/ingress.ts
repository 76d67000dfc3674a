import { type GatewayErrorName, headerNames } from '@model-gateway/contract';
import { createRequestLog, type RequestLog } from '../calls/request-log.ts';
import type { Limits } from '../domain/limits.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { AnsweredRequest, Observer } from '../lib/observer.ts';
import { createOneShot } from '../lib/one-shot.ts';
import { createTimeLimit } from '../lib/time-limit.ts';
import type { Access } from './access.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { AuthorizedRequest, Dispatch } from './dispatch.ts';
import type { Answer } from './http/answer.ts';
import type { IncomingRequest } from './http/request.ts';
import { caughtRefusal, type Refusal, refused } from './refusal.ts';
import type { RouteTable } from './route-table.ts';

/** The gateway in front of the API: keys, plans, size and time. Never throws. */
export interface Ingress {
  handle(request: IncomingRequest): Promise<Answer>;
  /** The answer to what is malformed, and so no request at all. */
  refuse(name: GatewayErrorName): Answer;
  /** The answer to a method that the parser does not know, where no key can be looked at. */
  refuseMethod(method: string, path: string): Answer;
  /** The longest body that is taken. */
  readonly bodyBytesMax: number;
  /** Resolves when no request is left to answer. */
  idle(): Promise<void>;
  /** From now on `/health` says that the process is stopping, and connections are not kept. */
  drain(): void;
  /** Ends the time of every request now, and of those that still come. */
  endAll(): void;
  /** True from then on. */
  isDraining(): boolean;
  /** Requests that are not answered yet. */
  inFlight(): number;
}

/** What an ingress is made of. */
export interface IngressParts {
  readonly routes: RouteTable;
  readonly access: Pick<Access, 'authorize'>;
  readonly dispatch: Dispatch;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer: Pick<Observer, 'requestAnswered'>;
}

const commonHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** The label of requests that no route takes: a path is the caller's choice, a label is not. */
const noRouteName = 'other';

/** What is malformed is no request, and has no method and no path that could be believed. */
const malformed = {
  ...{ requestId: undefined, method: '', path: '', route: noRouteName, tookMs: 0 },
  remote: undefined,
} as const satisfies Partial<AnsweredRequest>;

/** Puts the gateway in front of what answers. */
export function createIngress(parts: IngressParts): Ingress {
  const { access, clock, dispatch, ids, limits, observer, routes } = parts;
  const running = createInFlight();
  const gatewayTime = createTimeLimit(clock, limits.gatewayMs);
  let isDraining = false;
  let isEnding = false;
  return {
    handle,
    refuse,
    refuseMethod,
    bodyBytesMax: limits.bodyBytes,
    idle: running.idle,
    drain() {
      isDraining = true;
    },
    endAll() {
      isEnding = true;
      gatewayTime.endAll();
    },
    isDraining: () => isDraining,
    inFlight: running.count,
  };

  async function handle(request: IncomingRequest): Promise<Answer> {
    const { method, path, remote } = request;
    const requestId = ids.next('req');
    const match = routes.find(method, path);
    if (match?.route.kind === 'open') {
      return withCommonHeaders(match.route.answer(isDraining), requestId);
    }
    const startedMs = clock.monotonic();
    const log = createRequestLog();
    const dialect = match?.route.dialect ?? routes.dialectOf(path);
    let answer: Answer;
    running.enter();
    try {
      try {
        const entry = access.authorize(request, dialect, log);
        if (log.keyId !== undefined) request.onKey();
        if ('permit' in entry) {
          const callerGone = createOneShot();
          request.whenLeft(callerGone.fire);
          const authorized = { ...entry, request, requestId, match, dialect, callerGone, log };
          answer = isEnding ? late(authorized) : await inTime(authorized, dispatch(authorized));
        } else answer = dialect.refuse(entry);
      } catch (error) {
        // A fault of our own ends the request that meets it, and no other one.
        answer = dialect.refuse(caughtRefusal(error, log));
      }
      observer.requestAnswered?.({
        ...{ requestId, method, path, route: match?.route.name ?? noRouteName, remote },
        ...{ facts: log, status: answer.status, refusal: answer.refusal },
        tookMs: clock.monotonic() - startedMs,
      });
      return withCommonHeaders(answer, requestId, log.callId);
    } finally {
      running.leave();
    }
  }

  /** `callId` is that of the call which the answer is of; undefined where none was admitted. */
  function withCommonHeaders(answer: Answer, requestId: string, callId?: string): Answer {
    // A caller that keeps its connection would send its next request to a process that is gone.
    const headers: Record<string, string> = { ...commonHeaders };
    if (isDraining) headers.connection = 'close';
    if (callId !== undefined) headers[headerNames.callId] = callId;
    headers[headerNames.requestId] = requestId;
    return { ...answer, headers: Object.assign(headers, answer.headers) };
  }

  function refuse(refusal: GatewayErrorName): Answer {
    return refuseUnseen(refused(refusal), routes.dialectOf(''), createRequestLog());
  }

  function refuseMethod(method: string, path: string): Answer {
    const dialect = routes.dialectOf(path);
    const log = { ...createRequestLog(), code: 'NOT_FOUND' };
    return refuseUnseen(dialect.noRoute(method, path), dialect, log);
  }

  /** The answer to what no request was made of: it is counted, and has no line in the log. */
  function refuseUnseen(refusal: Refusal, dialect: Dialect, facts: RequestLog): Answer {
    const answer = dialect.refuse(refusal);
    const { status } = answer;
    observer.requestAnswered?.({ ...malformed, status, refusal: answer.refusal, facts });
    return withCommonHeaders(answer, ids.next('req'));
  }

  /** No request begins after the end of all. */
  function late({ dialect, permit }: AuthorizedRequest): Answer {
    permit.release();
    return dialect.refuse(refused('GATEWAY_TIMEOUT'));
  }

  /** The gateway's time limit: what runs on behind it is settled all the same. */
  function inTime(authorized: AuthorizedRequest, work: Promise<Answer>): Promise<Answer> {
    const { callerGone, dialect, log, permit } = authorized;
    return new Promise((resolve, reject) => {
      const timer = gatewayTime.begin(() => {
        // A duplicate that is still running will have its answer soon.
        const retryAfterSeconds = log.isWaiting ? 1 : undefined;
        resolve(dialect.refuse(refused('GATEWAY_TIMEOUT', retryAfterSeconds)));
        // It ends the reading of the body, too: the permit is released whatever the client does.
        callerGone.fire();
      });
      const onAnswer = (answer: Answer) => {
        timer.cancel();
        releaseWith(authorized, answer);
        resolve(answer);
      };
      const onFault = (error: unknown) => {
        timer.cancel();
        permit.release();
        reject(error);
      };
      work.then(onAnswer, onFault);
    });
  }
}

/**
 * The one end of every permit that is not transferred. An answer that its client does not read
 * takes up room as well; a caller that has gone reads none, and behind a 504 nothing more is said.
 * The gateway's own answers are a line, and may be out long before the rest of an unread body.
 */
function releaseWith({ callerGone, permit, request }: AuthorizedRequest, answer: Answer) {
  if (callerGone.hasFired() || answer.refusal !== undefined) return permit.release();
  permit.keepFor(Buffer.byteLength(answer.body));
  request.whenTaken(permit.release);
}
