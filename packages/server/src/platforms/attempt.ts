import {
  APICallError,
  type LanguageModelV4GenerateResult,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { Clock } from '../lib/clock.ts';
import { parseRetryAfterMs } from '../lib/retry.ts';
import { readErrorBody } from './error-body.ts';
import { isRecord } from './json.ts';
import {
  notEncodable,
  type OutcomeRule,
  ruleOfFailure,
  ruleOfStatus,
  unusable,
} from './outcome-rules.ts';
import type {
  AttemptOutcome,
  AttemptRequest,
  CallOptions,
  PlatformModel,
  ReportedUsage,
} from './port.ts';
import { withoutQuotes } from './quotes.ts';
import { type OnHead, TransportFailure } from './transport.ts';

/** One attempt at a platform. Never throws, never retries; every failure is an outcome. */
export type Attempt = (request: AttemptRequest) => Promise<AttemptOutcome>;

type Failed = Extract<AttemptOutcome, { kind: 'failed' }>;
type Headers = Readonly<Record<string, string>>;

/** Characters of a platform's sentence that the log keeps. */
const detailLengthMax = 500;

/** Longer waits are as good as never, and must stay finite numbers. */
const retryAfterMsMax = 86_400_000;

/** Characters of it that are read. */
const sentenceLengthMax = 16_000;

/** What becomes of a platform's own sentences: they may quote prompts, and name accounts. */
export type Sentences =
  /** Nobody hears of them: the log has the status and the codes. */
  | 'unsaid'
  /** They are in the outcome, for programs, and for who made the call himself. */
  | 'told'
  /** They are in the log's words as well. */
  | 'logged';

/** Makes attempts; the clock is for a `retry-after` that is a date. */
export function createAttempt({ clock, sentences = 'unsaid' }: AttemptParts): Attempt {
  return async (request) => {
    const { onRequestId = ignore } = request;
    onRequestId(undefined);
    const onHead: OnHead = ({ headers }) => onRequestId(requestIdOf(headers, undefined));
    const outcome = await outcomeOf(request, onHead, { clock, sentences });
    // It may stand in the body alone.
    onRequestId(outcome.requestId);
    return outcome;
  };
}

interface AttemptParts {
  readonly clock: Clock;
  readonly sentences?: Sentences;
}

/** What a failure is told of. */
interface Failing {
  readonly model: PlatformModel;
  readonly options: AttemptRequest['options'];
  readonly sentences: Sentences;
  readonly nowMs: number;
}

async function outcomeOf(
  { model, options, projectId, app, signal }: AttemptRequest,
  onHead: OnHead,
  { clock, sentences }: Required<AttemptParts>,
): Promise<AttemptOutcome> {
  if (model.needsProject && projectId === undefined) return withoutProject();
  const headers = projectId === undefined ? {} : model.projectHeaders(projectId);
  try {
    const call: CallOptions = { ...options, headers, abortSignal: signal, app, onHead };
    return answered(model, await model.languageModel.doGenerate(call));
  } catch (error) {
    return failed(error, { model, options, sentences, nowMs: clock.now() });
  }
}

function ignore() {}

function answered(model: PlatformModel, result: LanguageModelV4GenerateResult): AttemptOutcome {
  const { unified, raw } = result.finishReason;
  const body = result.response?.body;
  return {
    kind: 'answered',
    content: result.content,
    finish: unified === 'interrupted' ? 'error' : unified,
    finishRaw: raw,
    usage: model.readUsage(body),
    requestId: requestIdOf(result.response?.headers ?? {}, body),
  };
}

/** The platforms' bill would go to a project that everybody shares. */
function withoutProject(): Failed {
  return {
    ...ruleOfNothing,
    code: 'SERVER',
    billed: 'no',
    isRetryable: false,
    isOwnFault: true,
    detail: 'not sent: the app has no project on this platform; run `projects apply`',
  };
}

const ruleOfNothing = {
  kind: 'failed',
  retryAfterMs: undefined,
  status: undefined,
  requestId: undefined,
  usage: undefined,
} as const;

function failed(error: unknown, failing: Failing): Failed {
  const { model, nowMs } = failing;
  const failure = transportFailureIn(error);
  if (failure !== undefined) return failedExchange(model, failure, nowMs);
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    return failedAnswer(error, error.statusCode, failing);
  }
  if (UnsupportedFunctionalityError.isInstance(error)) {
    return { ...ruleOfNothing, ...notEncodable, detail: detailOf(model, error.message) };
  }
  // Libraries put the answer into their messages: the name has to do.
  const name = error instanceof Error ? error.name : typeof error;
  return { ...ruleOfNothing, ...unusable, detail: `failed with ${name}` };
}

/** Libraries wrap what a transport throws. */
function transportFailureIn(error: unknown): TransportFailure | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof TransportFailure) return inner;
    inner = inner.cause;
  }
  return undefined;
}

function failedExchange(model: PlatformModel, failure: TransportFailure, nowMs: number): Failed {
  const { answer, wasSent, causeCode, message } = failure;
  const headers = answer?.headers ?? {};
  const state = wasSent ? 'sent' : 'not sent';
  return {
    ...ruleOfNothing,
    ...ruleOfFailure(failure),
    ...(failure.kind.startsWith('no-') ? { isOwnFault: true } : {}),
    retryAfterMs: retryAfterMsOf(headers, nowMs),
    status: answer?.status,
    requestId: requestIdOf(headers, undefined),
    detail: detailOf(model, `${state}, ${causeCode}: ${message}`),
  };
}

function failedAnswer(error: APICallError, status: number, failing: Failing): Failed {
  const { model, nowMs } = failing;
  const headers = error.responseHeaders ?? {};
  const { json, codes, message } = readErrorBody(error.responseBody ?? '');
  const rule: OutcomeRule = ruleOfStatus(status, codes);
  // The body of a 2xx is an answer, which no log may show; what is wrong with it, we say.
  const isAnswer = status >= 200 && status < 300;
  const sentence = isAnswer ? undefined : sentenceOf(message, failing);
  const words = isAnswer ? error.message : failing.sentences === 'logged' ? sentence : undefined;
  const state = `status ${[status, ...codes].join(' ')}`;
  const usage = model.readUsage(json);
  return {
    kind: 'failed',
    ...rule,
    retryAfterMs: retryAfterMsOf(headers, nowMs),
    status,
    requestId: requestIdOf(headers, json),
    usage: hasCount(usage) ? usage : undefined,
    detail: detailOf(model, words === undefined ? state : `${state}: ${words}`),
    ...(sentence === undefined ? {} : { sentence }),
  };
}

function hasCount({ inputTokens, outputTokens }: ReportedUsage): boolean {
  return inputTokens !== undefined || outputTokens !== undefined;
}

/** A date is measured by the platform's own clock, where it tells it. */
function retryAfterMsOf(headers: Headers, nowMs: number): number | undefined {
  const retryAfter = headers['retry-after'];
  if (retryAfter === undefined) return undefined;
  const answeredAtMs = Date.parse(headers.date ?? '');
  const waitMs = parseRetryAfterMs(retryAfter, Number.isNaN(answeredAtMs) ? nowMs : answeredAtMs);
  return waitMs === undefined ? undefined : Math.min(waitMs, retryAfterMsMax);
}

/** Source: platforms, 1.7. */
function requestIdOf(headers: Headers, body: unknown): string | undefined {
  const { 'x-request-id': usual, 'request-id': other, 'x-amzn-requestid': amazons } = headers;
  if (isRequestId(usual)) return usual;
  if (isRequestId(other)) return other;
  if (isRequestId(amazons)) return amazons;
  const inBody = isRecord(body) ? body.request_id : undefined;
  return isRequestId(inBody) ? inBody : undefined;
}

/**
 * An id is stored with the call, answered and logged. A platform that writes a NUL there, which
 * PostgreSQL does not take, must not cost an answer that it bills; nor one that writes megabytes.
 */
function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value);
}

/** Without what it quotes of the request, which is somebody's prompt. */
function sentenceOf(text: string, { model, options, sentences }: Failing): string | undefined {
  if (sentences === 'unsaid') return undefined;
  return detailOf(model, withoutQuotes(text.slice(0, sentenceLengthMax), options));
}

/** Redacted before it is clipped, so that no half of a secret is left at the end. */
function detailOf(model: PlatformModel, text: string): string {
  const redacted = model.redact(text.slice(0, sentenceLengthMax));
  return redacted.replace(/\s+/g, ' ').slice(0, detailLengthMax).trimEnd();
}
