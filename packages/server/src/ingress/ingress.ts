import { type GatewayErrorName, headerNames } from '@model-gateway/contract';
import type { Answer } from '../calls/answer.ts';
import { errorAnswer } from '../calls/call-error.ts';
import { gatewayAnswer } from '../calls/gateway-answer.ts';
import { createRequestLog, type RequestLog } from '../calls/request-log.ts';
import type { Limits } from '../domain/limits.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import { createHeadcount } from '../lib/headcount.ts';
import type { Ids } from '../lib/id.ts';
import { createMoment, type OwnMoment } from '../lib/moment.ts';
import type { AnsweredRequest, Observer } from '../lib/observer.ts';
import { createTimeLimit } from '../lib/time-limit.ts';
import { type Entered, type Entrance, fullAnswer } from './access.ts';
import { caughtAnswer } from './caught.ts';
import type { Api } from './dialects/gateway/api.ts';
import { noRoute } from './dialects/gateway/no-route.ts';
import { droppedBytesMax } from './http/body-reader.ts';
import type { EdgeRequest } from './http/request.ts';
import type { Bodies } from './limits/bodies.ts';
import { openAnswer } from './open-routes.ts';

/** The gateway in front of the API: keys, plans, size and time. Never throws. */
export interface Edge {
  handle(request: EdgeRequest): Promise<Answer>;
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

/** What an edge is made of. */
export interface EdgeParts {
  readonly api: Api;
  readonly entrance: Entrance;
  readonly bodies: Pick<Bodies, 'read'>;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
  readonly observer: Pick<Observer, 'requestAnswered'>;
}

const commonHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** What is malformed is no request, and has no method and no path that could be believed. */
const malformed = {
  ...{ requestId: undefined, method: '', path: '', tookMs: 0, remote: undefined },
} as const satisfies Partial<AnsweredRequest>;

/** Puts the gateway in front of an API. */
export function createEdge(parts: EdgeParts): Edge {
  const { clock, entrance, ids, limits, observer } = parts;
  const running = createHeadcount();
  const gatewayTime = createTimeLimit(clock, limits.gatewayMs);
  let isDraining = false;
  let isEnding = false;
  return {
    handle,
    refuse,
    refuseMethod,
    bodyBytesMax: limits.bodyBytes,
    idle: running.none,
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

  async function handle(request: EdgeRequest): Promise<Answer> {
    const requestId = ids.next('req');
    const open = openAnswer(request, { version: parts.version, isDraining });
    if (open !== undefined) return dress(open, requestId);
    const startedMs = clock.monotonic();
    const requestLog = createRequestLog();
    running.come();
    try {
      const answer = await answerTo(request, requestLog);
      const { method, path, remote } = request;
      observer.requestAnswered?.({
        ...{ requestId, method, path, remote, facts: requestLog },
        ...{ status: answer.status, refusal: answer.refusal },
        tookMs: clock.monotonic() - startedMs,
      });
      return dress(answer, requestId, requestLog.callId);
    } finally {
      running.go();
    }
  }

  /** A fault of our own ends the request that meets it, and no other one. */
  async function answerTo(request: EdgeRequest, requestLog: RequestLog): Promise<Answer> {
    try {
      const entry = entrance.enter(request, requestLog);
      if (requestLog.keyId !== undefined) request.onKey();
      return entry.kind === 'refused'
        ? entry.answer
        : await answerInTime(request, entry, requestLog);
    } catch (error) {
      return caughtAnswer(error, requestLog);
    }
  }

  /** `callId` is that of the call which the answer is of; undefined where none was admitted. */
  function dress(answer: Answer, requestId: string, callId?: string): Answer {
    // A caller that keeps his connection would send his next request to a process that is gone.
    const headers: Record<string, string> = { ...commonHeaders };
    if (isDraining) headers.connection = 'close';
    if (callId !== undefined) headers[headerNames.callId] = callId;
    headers[headerNames.requestId] = requestId;
    return { ...answer, headers: Object.assign(headers, answer.headers) };
  }

  function refuse(refusal: GatewayErrorName): Answer {
    return unseen(gatewayAnswer(refusal), createRequestLog());
  }

  function refuseMethod(method: string, path: string): Answer {
    return unseen(errorAnswer(noRoute(method, path)), { ...createRequestLog(), code: 'NOT_FOUND' });
  }

  /** The answer to what no request was made of: it is counted, and has no line in the log. */
  function unseen(answer: Answer, requestLog: RequestLog): Answer {
    const { status, refusal } = answer;
    observer.requestAnswered?.({ ...malformed, status, refusal, facts: requestLog });
    return dress(answer, ids.next('req'));
  }

  /** The gateway's time limit: what runs on behind it is settled by the API. */
  function answerInTime(
    request: EdgeRequest,
    entered: Entered,
    requestLog: RequestLog,
  ): Promise<Answer> {
    if (isEnding) {
      entered.permit.release();
      return Promise.resolve(gatewayAnswer('GATEWAY_TIMEOUT'));
    }
    const callerGone = createMoment();
    request.whenLeft(callerGone.come);
    return new Promise((resolve, reject) => {
      const timer = gatewayTime.begin(() => {
        // A duplicate that is still running will have its answer soon.
        resolve(gatewayAnswer('GATEWAY_TIMEOUT', requestLog.isWaiting ? 1 : undefined));
        // It ends the reading of the body, too, so that the place is left whatever the client does.
        callerGone.come();
      });
      answerAndLeave(request, entered, callerGone, requestLog, timer).then(resolve, reject);
    });
  }

  /** The one end of every request that has a permit. */
  async function answerAndLeave(
    request: EdgeRequest,
    entered: Entered,
    callerGone: OwnMoment,
    requestLog: RequestLog,
    timer: Timer,
  ): Promise<Answer> {
    let unread: number | undefined;
    try {
      const made = await answer(request, entered, callerGone, requestLog);
      // Who has left reads none, and behind a 504 nothing more is said. The gateway's own answers
      // are a line, and may be out long before the rest of a body that is not read.
      if (!callerGone.hasCome() && made.refusal === undefined)
        unread = Buffer.byteLength(made.body);
      return made;
    } finally {
      timer.cancel();
      if (unread === undefined) entered.permit.release();
      else keepForAnswer(request, entered, unread);
    }
  }

  /** An answer that its client does not read takes up room as well. */
  function keepForAnswer(request: EdgeRequest, { permit }: Entered, bytes: number) {
    permit.keepFor(bytes);
    request.whenTaken(permit.release);
  }

  async function answer(
    request: EdgeRequest,
    { key, permit, refusal }: Entered,
    callerGone: OwnMoment,
    requestLog: RequestLog,
  ): Promise<Answer> {
    const { method, path, header, isRepeated } = request;
    const refused = refusal === undefined ? undefined : await refusal;
    if (refused !== undefined) return refused;
    const body = await parts.bodies.read(request, { keyId: key.id, permit, callerGone });
    if (body === 'too-long') {
      const { announcedBytes = limits.bodyBytes } = request;
      // What comes of it is read and dropped, up to this.
      const readMax = limits.bodyBytes + droppedBytesMax;
      entrance.chargeRefused(key, Math.min(announcedBytes, readMax));
      return gatewayAnswer('REQUEST_TOO_LONG');
    }
    if (body === 'no-room') return fullAnswer();
    if (body === 'late') return gatewayAnswer('REQUEST_TIMEOUT');
    // Who has left does not read it.
    if (body === 'left' || body === 'malformed') return gatewayAnswer('BAD_REQUEST');
    const answer = await parts.api({
      ...{ method, path, header, isRepeated, body, key, permit, callerGone, requestLog },
    });
    if (body !== undefined && isRefusal(answer, requestLog)) {
      entrance.chargeRefused(key, body.byteLength);
    }
    return answer;
  }
}

/** Whether a request was read, and led to no call. */
function isRefusal({ status }: Answer, { callId }: RequestLog): boolean {
  return status >= 400 && status < 500 && callId === undefined;
}
