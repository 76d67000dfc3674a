import type { AbortHub } from './abort-hub.ts';
import { attemptOnce, type WireRequest } from './attempt.ts';
import { type Deadline, type Ending, startDeadline } from './deadline.ts';
import type { Failure, Outcome } from './failure.ts';
import { LlmError } from './llm-error.ts';
import { type CallOptions, type CallSettings, checkCallOptions, type Settings } from './options.ts';
import type { Redactor } from './redact.ts';
import { decideRetry } from './retry.ts';
import type { Runtime } from './runtime.ts';

/** What all calls of one client share. */
export interface CallParts {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly hub: AbortHub;
  readonly redactor: Redactor;
}

/** One call, as the client's methods ask for it. */
export interface Call {
  /** The method's name, for the messages of TypeErrors. */
  readonly owner: string;
  /** Below the base URL, with its leading slash. */
  readonly path: string;
  /** The body of a POST; `undefined` makes it a GET. */
  readonly body: object | undefined;
  readonly options: CallOptions;
}

/** Has the last word on an answer, within the call's time. It never throws. */
export type Judge<Answer> = (answer: Answer) => Promise<Outcome<Answer>>;

/** Makes one call: attempts, waits and bodies under one deadline. */
export async function makeCall<Answer>(
  parts: CallParts,
  call: Call,
  judge?: Judge<Answer>,
): Promise<Answer> {
  const { owner, options } = call;
  const { runtime, settings } = parts;
  const costsMoney = call.body !== undefined;
  const checked = checkCallOptions({ owner, options, costsMoney, settings });
  const idempotencyKey = costsMoney ? (checked.idempotencyKey ?? runtime.uuid()) : undefined;
  const request = writeRequest({ call, settings, headers: checked.headers, idempotencyKey });

  const { timeoutMs, signal } = checked;
  const deadline = startDeadline({ runtime, hub: parts.hub, timeoutMs, signal });
  try {
    const round = { ...parts, checked, request, idempotencyKey, deadline };
    return await tryUntilAnswered(round, judge);
  } finally {
    deadline.close();
  }
}

function writeRequest(parts: {
  readonly call: Call;
  readonly settings: Settings;
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
}): WireRequest {
  const { call, settings, headers, idempotencyKey } = parts;
  const body = call.body === undefined ? undefined : serialise(call.owner, call.body);
  return {
    method: body === undefined ? 'GET' : 'POST',
    url: settings.baseUrl + call.path,
    headers: {
      ...headers,
      accept: 'application/json',
      'x-api-key': settings.apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body,
  };
}

function serialise(owner: string, body: object): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new TypeError(`${owner}: the request has a value that JSON cannot carry`, {
      cause: error,
    });
  }
}

interface Round extends CallParts {
  readonly checked: CallSettings;
  readonly request: WireRequest;
  readonly idempotencyKey: string | undefined;
  readonly deadline: Deadline;
}

async function tryUntilAnswered<Answer>(
  round: Round,
  judge: Judge<Answer> | undefined,
): Promise<Answer> {
  const { runtime, checked, deadline } = round;
  const { maxAttempts } = checked;
  let attempts = 0;
  let lastError: LlmError | undefined;
  // Bounded: at `maxAttempts` the decision is to stop.
  for (;;) {
    const ending = deadline.ending();
    if (ending !== undefined) throw endedError(round, { ending, attempts, lastError });

    attempts += 1;
    const outcome = await attemptAndJudge(round, judge);
    if (outcome.kind === 'answered') return outcome.answer;
    if (outcome.kind === 'ended') continue;

    lastError = failedError(round, { failure: outcome.failure, attempts });
    const remainingMs = deadline.remainingMs();
    const { failure } = outcome;
    const { random } = runtime;
    const decision = decideRetry({ failure, attempts, maxAttempts, remainingMs, random });
    if (decision.kind === 'stop') throw lastError;
    const { waitMs } = decision;
    checked.onRetry?.({ attempt: attempts, waitMs, error: lastError });
    await deadline.sleep(waitMs);
  }
}

async function attemptAndJudge<Answer>(
  round: Round,
  judge: Judge<Answer> | undefined,
): Promise<Outcome<Answer>> {
  const { runtime, settings, deadline, request } = round;
  // Looked up at each attempt, because tracing libraries replace the platform's fetch.
  const fetch = settings.fetch ?? globalThis.fetch;
  const outcome = await attemptOnce<Answer>({ runtime, fetch, deadline, request });
  if (outcome.kind !== 'answered' || judge === undefined) return outcome;
  try {
    return await deadline.race(judge(outcome.answer));
  } catch {
    // The judge does not throw: the call has ended.
    return { kind: 'ended' };
  }
}

function failedError(
  round: Round,
  { failure, attempts }: { readonly failure: Failure; readonly attempts: number },
): LlmError {
  const { redactor, idempotencyKey } = round;
  const clean = (text: string | undefined) => text && redactor.text(text);
  return new LlmError({
    message: redactor.text(failure.message),
    status: failure.status,
    code: redactor.text(failure.code),
    attempts,
    requestId: clean(failure.requestId),
    model: clean(failure.model),
    retryAfterMs: failure.retryAfterMs,
    idempotencyKey,
    cause: redactor.cause(failure.cause),
  });
}

function endedError(
  { redactor, checked, idempotencyKey }: Round,
  state: {
    readonly ending: Ending;
    readonly attempts: number;
    readonly lastError: LlmError | undefined;
  },
): LlmError {
  const { ending, attempts, lastError } = state;
  const details = { status: 0, attempts, idempotencyKey };
  if (ending.kind === 'aborted') {
    const cause = redactor.cause(ending.reason);
    return new LlmError({ ...details, code: 'ABORTED', message: 'the caller aborted it', cause });
  }
  const collect = idempotencyKey === undefined ? '' : '; its idempotencyKey collects a late answer';
  const message = `no answer within timeoutMs, ${checked.timeoutMs} ms${collect}`;
  return new LlmError({ ...details, code: 'TIMEOUT', message, cause: lastError });
}
