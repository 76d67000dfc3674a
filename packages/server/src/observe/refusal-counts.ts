import type { Clock } from '../lib/clock.ts';
import type { AnsweredRequest, Observer } from '../lib/observer.ts';
import type { RejectedKey } from '../lib/request-facts.ts';
import type { RefusalHour } from '../store/queries/refusals.ts';
import { knownMethod } from './request-lines.ts';
import { noApp } from './request-metrics.ts';

export interface RefusalCounts {
  readonly observer: Observer;
  /** Counts since the last call; `appOf` returns a key's app. */
  take(appOf: (keyId: string) => string | undefined): readonly RefusalHour[];
}

const hourMs = 3_600_000;
/** Far more than apps times the codes that occur within seconds. */
const countedMax = 10_000;

/** Their messages come from the gateway, and quote at most a model's name. */
const quotable: ReadonlySet<string> = new Set([
  ...['BUDGET_EXCEEDED', 'INSUFFICIENT_CREDITS', 'MODEL_NOT_ALLOWED', 'MODEL_NOT_PRICED'],
  ...['DISABLED', 'NO_SERVICE', 'USER_REQUIRED', 'CREDITS_NOT_ENABLED'],
]);

/** Counted by app, or by key while its app is unknown. */
interface Counted extends Omit<RefusalHour, 'app'> {
  readonly app: string | undefined;
  readonly keyId: string | undefined;
}

/**
 * Costs a successful request only one or two comparisons. A rejected key counts by its reason, with
 * its app if any.
 */
export function createRefusalCounts(clock: Pick<Clock, 'now'>): RefusalCounts {
  let counted = new Map<string, Counted>();
  return {
    observer: {
      requestAnswered(request) {
        if (request.status >= 400 && request.facts.callId === undefined) add(request);
      },
    },
    take(appOf) {
      const counts = [...counted.values()];
      counted = new Map();
      const rows = new Map<string, RefusalHour>();
      for (const { app, keyId, ...rest } of counts) {
        const name = app ?? (keyId === undefined ? undefined : appOf(keyId));
        if (name === undefined) continue;
        const key = `${rest.hour} ${name} ${rest.code}`;
        const refused = rest.refused + (rows.get(key)?.refused ?? 0);
        rows.set(key, { ...rest, app: name, refused });
      }
      return [...rows.values()];
    },
  };

  function add(request: AnsweredRequest) {
    const { requestId, facts } = request;
    const rejected = facts.keyId === undefined ? facts.keyRejection : undefined;
    const { app, keyId } = rejected === undefined ? facts : { app: rejected.app ?? noApp };
    if (app === undefined && keyId === undefined) return;
    const code = codeOf(request, rejected);
    const now = clock.now();
    const hour = Math.floor(now / hourMs) * hourMs;
    const key = `${hour} ${app ?? `key ${keyId}`} ${code}`;
    const before = counted.get(key);
    if (before === undefined && counted.size >= countedMax) return;
    counted.set(key, {
      ...{ app, keyId, hour, code, refused: (before?.refused ?? 0) + 1, lastAt: now },
      lastMessage: rejected === undefined ? sentenceOf(code, request) : describeRequest(request),
      lastRequestId: requestId,
    });
  }
}

function codeOf({ status, refusal, facts }: AnsweredRequest, rejected: RejectedKey | undefined) {
  const code = refusal ?? facts.code ?? String(status);
  const reason = rejected?.reason ?? facts.limitedBy;
  return reason === undefined ? code : `${code}:${reason}`;
}

function sentenceOf(code: string, { facts }: AnsweredRequest): string | undefined {
  return quotable.has(code) ? facts.message : undefined;
}

function describeRequest({ method, path, remote }: AnsweredRequest): string {
  return `${knownMethod(method)} ${path} from ${remote ?? 'an unknown network'}`;
}
