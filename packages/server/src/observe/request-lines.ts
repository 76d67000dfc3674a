import { METHODS } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { AnsweredRequest, Observer } from '../lib/observer.ts';
import { createRefusalLines, type RefusalKind } from './refusal-lines.ts';

/** Rejections without an existing key. */
export const keyless: RefusalKind = {
  ...{ first: 'answered', others: 'requests rejected: missing or unknown API key' },
  fields: { status: 403, code: 'FORBIDDEN' },
};

const rejected = 'requests rejected: malformed or incomplete HTTP';
/** Not valid HTTP: a first line has only network and code. */
export const malformed: RefusalKind = { first: rejected, others: rejected, fields: {} };

export interface RequestLines extends Required<Pick<Observer, 'requestAnswered'>> {
  stop(): void;
}

export function createRequestLines(parts: {
  readonly clock: Clock;
  readonly log: Pick<Log, 'request' | 'error'>;
  readonly instanceId: string;
}): RequestLines {
  const { log, instanceId } = parts;
  const refusals = createRefusalLines({ ...parts, kind: keyless });
  const rejections = createRefusalLines({ ...parts, kind: malformed });
  return {
    requestAnswered(request) {
      const { requestId, remote, status, refusal, facts } = request;
      if (requestId === undefined) {
        const code = refusal ?? facts.code;
        return rejections.add(remote, { remote, refused: 1, status, code, instance: instanceId });
      }
      const line = lineOf(request, instanceId);
      // Operators need the cause, whatever the log omits.
      if (status === 500) log.error(line, 'answered');
      // Unauthenticated clients can send any number of these.
      else if (refusal === 'FORBIDDEN' || (facts.keyRejection !== undefined && !facts.keyId)) {
        refusals.add(remote, line, kindOf(request));
      } else log.request(line, 'answered');
    },
    stop() {
      refusals.flush();
      rejections.flush();
    },
  };
}

function kindOf({ method, path, facts }: AnsweredRequest) {
  return { reason: facts.keyRejection?.reason, request: `${knownMethod(method)} ${path}` };
}

/** Naming the fields costs half as much as copying all. */
function lineOf(request: AnsweredRequest, instance: string): object {
  const { requestId, method, path, status, tookMs, remote, facts, refusal } = request;
  return {
    requestId,
    method,
    path,
    status,
    tookMs: toMicroseconds(tookMs),
    remote,
    instance,
    keyId: facts.keyId ?? facts.keyRejection?.keyId,
    app: facts.app ?? facts.keyRejection?.app,
    reason: facts.keyRejection?.reason ?? facts.limitedBy,
    traceId: facts.traceId,
    model: facts.model,
    servedBy: facts.servedBy,
    callId: facts.callId,
    code: refusal ?? facts.code,
    isWaiting: facts.isWaiting,
    attempts: facts.attempts,
    inputTokens: facts.inputTokens,
    outputTokens: facts.outputTokens,
    costUsd: facts.costUsd,
    estimated: facts.estimated,
    cause: facts.cause,
    reserveMs: toMicroseconds(facts.reserveMs),
    modelMs: toMicroseconds(facts.modelMs),
    settleMs: toMicroseconds(facts.settleMs),
    firstMs: toMicroseconds(facts.firstMs),
    deltas: facts.deltas,
    end: facts.end,
  };
}

/** Three decimals: the clock measures no more. */
function toMicroseconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 1_000) / 1_000;
}

const methods: ReadonlySet<string> = new Set(METHODS);

/** Returns `other` for an unknown method, since its text comes from the caller. */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
