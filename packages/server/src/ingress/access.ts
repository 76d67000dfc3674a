import { headerNames } from '@model-gateway/contract';
import type { Answer } from '../calls/answer.ts';
import { ApiError, errorAnswer } from '../calls/call-error.ts';
import { gatewayAnswer } from '../calls/gateway-answer.ts';
import type { RequestLog } from '../calls/request-log.ts';
import type { Limits } from '../domain/limits.ts';
import type { Plan, Plans } from '../domain/plan.ts';
import type { ApiKey } from '../registry/app.ts';
import type { Registry } from '../registry/registry.ts';
import type { EdgeRequest } from './http/request.ts';
import type { Bodies } from './limits/bodies.ts';
import type { Gate, GatePlace } from './limits/concurrency.ts';
import type { PlanLimiter, PlanVerdict } from './limits/rate/plan-limiter.ts';
import { createRefusedBytes } from './limits/refused-bytes.ts';

/** What stands before the body is read: key, places, plan. Source: contract, section 2. */
export interface Entrance {
  /** The refusal, or the key with the place that is taken for it. */
  enter(request: EdgeRequest, requestLog: RequestLog): Entry;
  /** A body of so many bytes was read for nothing: the key's rate pays for it. */
  chargeRefused(key: ApiKey, bodyBytes: number): void;
}

/** What the entrance says. */
export type Entry = { readonly kind: 'refused'; readonly answer: Answer } | Entered;

/** Whose request it is, and the place that it leaves at its end. */
export interface Entered {
  readonly kind: 'entered';
  readonly key: ApiKey;
  readonly permit: GatePlace;
  /** What the plan has against it, where the store must be asked first. */
  readonly refusal: Promise<Answer | undefined> | undefined;
}

/** What an entrance is made of. */
export interface EntranceParts {
  readonly registry: Registry;
  readonly gate: Gate;
  readonly bodies: Pick<Bodies, 'isFull'>;
  readonly limiter: PlanLimiter;
  readonly plans: Plans;
  readonly limits: Limits;
}

/**
 * What a body counts before any of it has come: it may be no more than announced. So much of it may
 * be at hand at once.
 */
const firstBytesMax = 65_536;

/** Refuses before anything is read or stored: what it says costs next to nothing. */
export function createEntrance(parts: EntranceParts): Entrance {
  const { registry, gate, bodies, limiter, limits } = parts;
  const refusedBytes = createRefusedBytes(limiter);
  const chargeRefused = (key: ApiKey, bytes: number) =>
    refusedBytes.add(key.id, planOf(key), bytes);
  return { enter, chargeRefused };

  function enter(request: EdgeRequest, requestLog: RequestLog): Entry {
    const keyText = request.header(headerNames.apiKey);
    const key = keyText === undefined ? undefined : registry.key(keyText);
    if (key === undefined) return refused(gatewayAnswer('FORBIDDEN'));
    requestLog.keyId = key.id;
    const { customerId: app } = key;
    // Whoever is refused here is told of by the name of its app, as everybody else is.
    if (registry.app(app) !== undefined) requestLog.app = app;
    const bodyBytes = firstBytesOf(request);
    if (gate.isFull(app, bodyBytes)) return refused(fullAnswer());
    if (request.announcedBytes !== 0 && bodies.isFull(key.id)) return refused(fullAnswer());
    const verdict = limiter.take(key.id, planOf(key));
    if (verdict instanceof Promise) {
      const permit = gate.enter(app, bodyBytes);
      return {
        kind: 'entered',
        key,
        permit,
        refusal: verdict.then((of) => refusalOf(of, requestLog)),
      };
    }
    const refusal = refusalOf(verdict, requestLog);
    if (refusal !== undefined) return refused(refusal);
    return { kind: 'entered', key, permit: gate.enter(app, bodyBytes), refusal };
  }

  /** One that does not say its length counts as it comes, and one that is too long is not kept. */
  function firstBytesOf({ announcedBytes = 0 }: EdgeRequest): number {
    return announcedBytes > limits.bodyBytes ? 0 : Math.min(announcedBytes, firstBytesMax);
  }

  /** A key off the convention, in its name or by its customer, has the plan of a user. */
  function planOf({ parsed, customerId }: ApiKey): Plan {
    if (parsed === undefined || parsed.app !== customerId) return parts.plans.user;
    const { role, app } = parsed;
    return registry.app(app)?.plans[role] ?? parts.plans[role];
  }
}

/** The answer when there is no permit: one may be free in a second. */
export function fullAnswer(): Answer {
  return tooMany(1);
}

function refusalOf(verdict: PlanVerdict, requestLog: RequestLog): Answer | undefined {
  switch (verdict.kind) {
    case 'allowed':
      return undefined;
    case 'too-many':
      return tooMany(verdict.waitMs / 1000);
    case 'limit-exceeded':
      return gatewayAnswer('LIMIT_EXCEEDED');
    case 'away':
      return errorAnswer(storeAway(verdict.error, requestLog));
  }
}

/** Whether the plan has room is not known: it is never passed on a guess. */
function storeAway(cause: unknown, requestLog: RequestLog): ApiError {
  requestLog.code = 'INTERNAL';
  requestLog.cause = String(cause);
  const message = 'The request could not be counted, so it was not made; try again in a moment.';
  return new ApiError('INTERNAL', message, { retryAfterSeconds: 1, cause });
}

function tooMany(retryAfterSeconds: number): Answer {
  return gatewayAnswer('TOO_MANY_REQUESTS', retryAfterSeconds);
}

function refused(answer: Answer): Entry {
  return { kind: 'refused', answer };
}
