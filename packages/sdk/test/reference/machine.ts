import { epochMs, type RetryAfter, type Script, type ServerTurn } from './script.ts';

/** The expected result of a call. */
export interface Expectation {
  readonly status: number;
  /** `ok` for success. */
  readonly code: string;
  readonly attempts: number;
  /** The waits between attempts, as far as they began. */
  readonly waitsMs: readonly number[];
  readonly totalMs: number;
  /** The error's value of `retry-after`. */
  readonly retryAfterMs: number | undefined;
}

/** The result of one attempt, if nothing ends the call before. */
interface AttemptEnd {
  readonly atMs: number;
  readonly status: number;
  readonly code: string;
  readonly isRetried: boolean;
  readonly retryAfterMs: number | undefined;
}

/**
 * The client's behavior as a state machine over known times. It is written from the specification
 * (section 7, "SDK error behaviour") and shares no code with the client. If two things happen at
 * the same time, the limit comes first.
 */
export function expectationOf(script: Script): Expectation {
  const limitMs = Math.min(script.timeoutMs, script.abortMs ?? Number.POSITIVE_INFINITY);
  // At the same time, the abort comes before the limit.
  const limitCode = limitMs === script.abortMs ? 'ABORTED' : 'TIMEOUT';
  const waitsMs: number[] = [];
  let draws = 0;
  let nowMs = 0;
  for (let attempts = 1; ; attempts++) {
    const atLimit = {
      status: 0,
      code: limitCode,
      waitsMs,
      totalMs: limitMs,
      retryAfterMs: undefined,
    };
    const turn = script.turns[Math.min(attempts, script.turns.length) - 1];
    if (turn === undefined) throw new Error('a script has at least one turn');
    const end = endOf(turn, nowMs);
    if (end.atMs >= limitMs) return { ...atLimit, attempts };

    nowMs = end.atMs;
    const { status, code, retryAfterMs } = end;
    const failed = { status, code, attempts, waitsMs: [...waitsMs], totalMs: nowMs, retryAfterMs };
    if (!end.isRetried || attempts === script.maxAttempts) return failed;
    const capMs = Math.min(20_000, 500 * 2 ** (attempts - 1));
    const jitterMs = ((script.eighths[draws++] ?? 0) / 8) * capMs;
    const waitMs = Math.min((retryAfterMs ?? 0) + jitterMs, 20_000);
    if (nowMs + waitMs >= script.timeoutMs) return failed;
    waitsMs.push(waitMs);
    if (nowMs + waitMs >= limitMs) return { ...atLimit, attempts };
    nowMs += waitMs;
  }
}

function endOf(turn: ServerTurn, beginMs: number): AttemptEnd {
  const headMs = beginMs + turn.headMs;
  const network = { status: 0, code: 'NETWORK', isRetried: true, retryAfterMs: undefined };
  if (turn.head === 'hangs') return { ...network, atMs: Number.POSITIVE_INFINITY };
  if (turn.head === 'refuses') return { ...network, atMs: headMs };

  const { status } = turn;
  // The client does not wait for a redirect's body.
  const isRedirect = status >= 300 && status < 400;
  const bodyMs = turn.end === 'stall' ? Number.POSITIVE_INFINITY : turn.chunks * turn.chunkMs;
  const atMs = isRedirect ? headMs : headMs + bodyMs;
  const isBroken = turn.end === 'reset';
  if (status < 300) {
    if (isBroken) return { ...network, atMs };
    const isAnswer = ['answer', 'message', 'limit'].includes(turn.body);
    const code = isAnswer ? 'ok' : 'BAD_RESPONSE';
    return { atMs, status, code, isRetried: false, retryAfterMs: undefined };
  }

  const shown = isBroken || isRedirect ? 'empty' : turn.body;
  return {
    atMs,
    status,
    code: codeOf(status, shown, turn.code),
    isRetried: isRetried(turn, shown),
    retryAfterMs: retryAfterMs(turn.retryAfter, atMs),
  };
}

function codeOf(status: number, body: ServerTurn['body'], code: string): string {
  if (body === 'api-error') return code;
  if (body === 'message' || body === 'limit') {
    if (status === 403) return 'FORBIDDEN';
    if (status === 413) return 'REQUEST_TOO_LONG';
    if (status === 429) return body === 'limit' ? 'LIMIT_EXCEEDED' : 'TOO_MANY_REQUESTS';
    if (status === 504) return 'GATEWAY_TIMEOUT';
  }
  return `HTTP_${status}`;
}

function isRetried({ status, code, shouldRetry }: ServerTurn, body: ServerTurn['body']): boolean {
  const isApi = body === 'api-error' || body === 'no-code';
  if (shouldRetry === 'false') return false;
  if (body === 'api-error' && ['BUDGET_EXCEEDED', 'INSUFFICIENT_CREDITS'].includes(code)) {
    return false;
  }
  if (status === 429) return !isApi;
  return [500, 502, 503, 504].includes(status);
}

function retryAfterMs(retryAfter: RetryAfter | undefined, atMs: number): number | undefined {
  if (retryAfter?.afterMs !== undefined) return retryAfter.afterMs;
  if (retryAfter?.atMs !== undefined) return Math.max(0, retryAfter.atMs - (epochMs + atMs));
  return undefined;
}
