import type { Redactor } from '../lib/redact.ts';
import type { AbortHub } from './abort-hub.ts';
import { type AttemptParts, attemptOnce, takeWhole, type WireRequest } from './attempt.ts';
import { type Bill, createBill } from './bill.ts';
import { endedError, failedError } from './call-error.ts';
import { attachMeta } from './call-meta.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import type { Outcome } from './failure.ts';
import type { LlmError } from './llm-error.ts';
import {
  type CallOptions,
  type CallSettings,
  checkCallOptions,
  type RetryEvent,
  type Settings,
} from './options.ts';
import { reportAttempt } from './report-attempt.ts';
import { decideRetry } from './retry.ts';
import type { Runtime } from './runtime.ts';
import type { Target } from './targets.ts';
import { writeMeta } from './write-meta.ts';

/** The parts that all calls of one client share. */
export interface CallParts {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly hub: AbortHub;
  readonly redactor: Redactor;
}

/** One call, as requested by the client's methods. */
export interface Call extends Target {
  /** The body of a POST; without one the default method is GET. */
  readonly body?: object;
  readonly method?: 'DELETE';
  /** True for a POST that costs nothing and has no idempotency key. */
  readonly isRead?: boolean;
  readonly options?: CallOptions | undefined;
  /** Whether the caller can end it. Default: whether the options have a signal. */
  readonly isAbortable?: boolean;
  /** The accepted content type; JSON by default. */
  readonly accept?: string;
}

/** Makes the final decision on a response, within the call's time limit. It never throws. */
export type Judge<Answer> = (answer: Answer, headers: Headers) => Promise<Outcome<Answer>>;

/** Makes one call: attempts, waits and bodies under one deadline. */
export async function makeCall<Answer extends object>(
  parts: CallParts,
  call: Call,
  judge?: Judge<Answer>,
): Promise<Answer> {
  const round = beginRound(parts, call);
  try {
    const attempt = () => attemptAndJudge(round, judge);
    return withMeta(round, await tryUntilAnswered(round, attempt));
  } finally {
    round.deadline.close();
  }
}

/** Begins a call; close its deadline exactly once, whatever the outcome. */
function beginRound(parts: CallParts, call: Call): Round {
  const { owner, options = {} } = call;
  const { runtime, settings } = parts;
  const costsMoney = call.body !== undefined && !call.isRead;
  const checked = checkCallOptions({ owner, options, costsMoney, settings });
  const idempotencyKey = costsMoney ? (checked.idempotencyKey ?? runtime.uuid()) : undefined;
  const request = writeRequest({ call, settings, headers: checked.headers, idempotencyKey });

  const { timeoutMs, signal } = checked;
  const startedMs = runtime.monotonicMs();
  const ofCall = { isAbortable: call.isAbortable ?? signal !== undefined };
  const deadline = startDeadline({ runtime, hub: parts.hub, timeoutMs, signal, ofCall });
  const round = { owner, checked, request, idempotencyKey, ofCall };
  return { ...parts, ...round, startedMs, deadline, bill: createBill() };
}

/** Begins a call whose response comes in pieces. */
export function beginStreamRound(parts: CallParts, call: Call): Round {
  const settings = { ...parts.settings, timeoutMs: parts.settings.streamTimeoutMs };
  return beginRound({ ...parts, settings }, { ...call, accept: 'text/event-stream' });
}

function writeRequest(parts: {
  readonly call: Call;
  readonly settings: Settings;
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
}): WireRequest {
  const { call, settings, headers, idempotencyKey } = parts;
  const body = serialise(call);
  return {
    method: call.method ?? (body === undefined ? 'GET' : 'POST'),
    url: settings.baseUrl + call.path,
    headers: {
      ...settings.headers,
      ...headers,
      accept: call.accept ?? 'application/json',
      'x-api-key': settings.apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body,
  };
}

function serialise({ owner, body }: Call): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new TypeError(`${owner}: the request has a value that JSON cannot represent`, {
      cause,
    });
  }
}

/** A call in progress. */
export interface Round extends CallParts {
  /** The client's method. */
  readonly owner: string;
  readonly checked: CallSettings;
  readonly request: WireRequest;
  readonly idempotencyKey: string | undefined;
  readonly ofCall: { readonly isAbortable: boolean };
  readonly startedMs: number;
  readonly deadline: Deadline;
  readonly bill: Bill;
}

/** The result of a call, and its attempt. */
export interface Answered<Answer> {
  readonly answer: Answer;
  readonly headers: Headers;
  readonly attempts: number;
}

/** Makes attempts until one succeeds or none is left; `from` is the number of earlier ones. */
export async function tryUntilAnswered<Answer>(
  round: Round,
  attempt: () => Promise<Outcome<Answer>>,
  from: { readonly attempts: number; readonly partialText?: string } = { attempts: 0 },
): Promise<Answered<Answer>> {
  const { runtime, checked, deadline } = round;
  let { attempts, partialText } = from;
  let maxAttempts = checked.maxAttempts + attempts;
  let lastError: LlmError | undefined;
  // Bounded by the deadline and by `maxAttempts`, at which the decision is to stop.
  for (;;) {
    const ending = deadline.ending();
    if (ending !== undefined) throw endedError(round, { ending, attempts, lastError, partialText });

    attempts += 1;
    const begunMs = runtime.monotonicMs();
    const outcome = await attempt();
    reportAttempt(round, outcome, {
      attempt: attempts,
      durationMs: runtime.monotonicMs() - begunMs,
    });
    if (outcome.kind === 'answered') return { ...outcome, attempts };
    if (outcome.kind === 'ended') continue;

    const { failure } = outcome;
    lastError = failedError(round, { failure, attempts, partialText });
    if (failure.isFree) maxAttempts += 1;
    const remainingMs = deadline.remainingMs();
    const { random } = runtime;
    const waitMs = decideRetry({ failure, attempts, maxAttempts, remainingMs, random });
    if (waitMs === undefined) throw lastError;
    await reportAndWait(round, { attempt: attempts, waitMs, error: lastError });
  }
}

/** Attaches the facts about its call to the response. */
export function withMeta<Answer extends object>(
  { runtime, bill, redactor, startedMs }: Round,
  { answer, headers, attempts }: Answered<Answer>,
): Answer {
  const durationMs = runtime.monotonicMs() - startedMs;
  // It references only what it needs, since it lives as long as the response.
  return attachMeta(answer, () => {
    const facts = { attempts, durationMs, costUsd: bill.totalUsd() };
    return writeMeta(headers, facts, redactor);
  });
}

/** The wait before a retry, and the caller's `onRetry`; the call's end stops both. */
async function reportAndWait({ checked, deadline }: Round, event: RetryEvent): Promise<void> {
  const reported = checked.onRetry?.(event);
  try {
    await deadline.race(Promise.all([reported, deadline.sleep(event.waitMs)]));
  } catch (error) {
    // A call that ended during the wait reports this itself.
    if (deadline.ending() === undefined) throw error;
  }
}

/** One attempt; adds its cost to the call's bill. */
export async function attemptAndNote<Answer>(
  round: Round,
  take: (parts: AttemptParts, response: Response, unlink: () => void) => Promise<Outcome<Answer>>,
): Promise<Outcome<Answer>> {
  const { runtime, settings, deadline, request, bill } = round;
  // Looked up at each attempt, because tracing libraries replace the platform's fetch.
  const fetch = settings.fetch ?? globalThis.fetch;
  const parts = { runtime, fetch, deadline, request };
  const outcome = await attemptOnce<Answer>(parts, (...got) => take(parts, ...got));
  if (outcome.kind === 'failed') {
    const { head } = outcome.failure;
    bill.note(head?.callId, head?.costUsd);
  }
  return outcome;
}

async function attemptAndJudge<Answer extends object>(
  round: Round,
  judge: Judge<Answer> | undefined,
): Promise<Outcome<Answer>> {
  const outcome = await attemptAndNote<Answer>(round, takeWhole);
  return outcome.kind === 'answered' ? judged(round, outcome, judge) : outcome;
}

/** A billed response, as its judge returns it. */
export async function judged<Answer extends object>(
  { bill, deadline }: Pick<Round, 'bill' | 'deadline'>,
  outcome: Extract<Outcome<Answer>, { readonly kind: 'answered' }>,
  judge: Judge<Answer> | undefined,
): Promise<Outcome<Answer>> {
  noteAnswer(bill, outcome.answer, outcome.headers);
  if (judge === undefined) return outcome;
  try {
    return await deadline.race(judge(outcome.answer, outcome.headers));
  } catch {
    // The judge does not throw, so an exception means that the call has ended.
    return { kind: 'ended' };
  }
}

/** A model's response has its call's id and cost in its body. */
function noteAnswer(bill: Bill, answer: object, headers: Headers): void {
  const { id, cost } = Object(answer);
  const callId = typeof id === 'string' ? id : (headers.get('x-call-id') ?? undefined);
  bill.note(callId, Object(cost).usd);
}
