import { hasCount } from '../evidence/merge.ts';
import type { SendResponse, TransportFailure } from '../http/transport.ts';
import { requestIdOf } from '../http/transport.ts';
import { type ReadableError, readAccount } from '../model/account.ts';
import type { ModelRequest } from '../model/model-request.ts';
import type {
  AttemptOptions,
  AttemptOutcome,
  PlatformContext,
  ReportedUsage,
} from '../model/port.ts';
import { type RejectionParts, readRejection } from '../model/rejection.ts';
import { causeOf, causeOfCode } from '../model/unusable.ts';
import { readErrorBody } from '../redaction/error-body.ts';
import { withoutQuotes } from '../redaction/quotes.ts';
import type { Redact } from '../redaction/redact.ts';
import {
  notEncodable,
  ruleOfAccount,
  ruleOfFailure,
  ruleOfNamed,
  ruleOfStatus,
  unusable,
} from './outcome-rules.ts';
import { readWait } from './read-wait.ts';

type FailedOutcome = Extract<AttemptOutcome, { kind: 'failed' }>;
type Headers = Readonly<Record<string, string>>;

const detailLengthMax = 500;

const retryAfterMsMax = 86_400_000;

const sentenceLengthMax = 16_000;

export interface FailedParts {
  readonly context: Pick<PlatformContext, 'clock' | 'logPlatformErrors'>;
  readonly redact: Redact;
  readonly request: ModelRequest;
  readonly options: AttemptOptions;
  readonly readUsage: (body: unknown, text: string) => ReportedUsage;
}

const nothingCame = {
  kind: 'failed',
  retryAfterMs: undefined,
  status: undefined,
  requestId: undefined,
  usage: undefined,
} as const;

/** Without a project the bill would go to a shared one. */
export function withoutProject(): FailedOutcome {
  return {
    ...nothingCame,
    code: 'SERVER',
    billed: 'no',
    isRetryable: false,
    isOwnFault: true,
    detail: 'not sent: the app has no project on this platform; run `projects apply`',
  };
}

export function notEncoded(problem: string, redact: Redact): FailedOutcome {
  // The encoder's words do not come from a platform, and may name the field.
  const fields = problem.match(/\w+/g) ?? [];
  const rejection = { reason: 'parameter', fields, isFieldReported: false } as const;
  return { ...nothingCame, ...notEncodable, rejection, detail: detailOf(redact, problem) };
}

export function failedExchange(failure: TransportFailure, parts: FailedParts): FailedOutcome {
  const { answer, wasSent, causeCode, message } = failure;
  const headers = answer?.headers ?? {};
  const state = wasSent ? 'sent' : 'not sent';
  // A rejection with an unreadable body has its status.
  const account = answer && readAccount({ status: answer.status, codes: [], sentence: () => '' });
  const ofFailure = ruleOfFailure(failure);
  const isRejection = account !== undefined && failure.kind === 'unusable';
  const rule = isRejection ? { account, ...ruleOfAccount(account) } : ofFailure;
  const cause = causeOfCode(causeCode, answer);
  return {
    ...nothingCame,
    ...rule,
    ...(failure.kind.startsWith('no-') ? { isOwnFault: true } : {}),
    ...(cause === undefined ? {} : { unusable: cause }),
    retryAfterMs: retryAfterMsOf({ headers }, rule, parts),
    status: answer?.status,
    requestId: requestIdOf(headers, undefined),
    detail: detailOf(parts.redact, `${state}, ${causeCode}: ${message}`),
  };
}

/**
 * A rejection by status or by an error object with 200, or an unusable response, described by
 * `wrong`.
 */
export function failedAnswer(
  { status, headers, body }: SendResponse,
  wrong: string | undefined,
  parts: FailedParts,
): FailedOutcome {
  const text = body.toString();
  const cause = wrong === undefined ? undefined : causeOf(wrong, { status, headers }, body);
  const { json, codes, message, named } = readErrorBody(text);
  const isInBody = wrong === undefined && status >= 200 && status < 300;
  const { context, options, redact } = parts;
  const { sentences = context.logPlatformErrors === true ? 'logged' : 'unsaid' } = options;
  // A response's text must never be logged.
  const hasSentence = wrong === undefined && sentences !== 'unsaid';
  const sentence = hasSentence ? sentenceOf(message, parts) : undefined;
  const read = { json, text, request: parts.request };
  const error = {
    ...{ status: isInBody ? named : status, codes },
    sentence: () => sentence ?? sentenceOf(message, parts),
  };
  const reasons = wrong === undefined ? reasonsOf(error, read) : {};
  const effectiveStatus = error.status ?? unnamedStatus(reasons);
  const ofStatus = isInBody ? ruleOfNamed(effectiveStatus, codes) : ruleOfStatus(status);
  const { account, rejection } = reasons;
  const rule = account === undefined ? ofStatus : { account, ...ruleOfAccount(account) };
  const state = isInBody
    ? stateInBody(status, effectiveStatus, codes)
    : [status, ...codes].join(' ');
  const words = wrong ?? (sentences === 'logged' ? sentence : undefined);
  const usage = parts.readUsage(json, text);
  return {
    kind: 'failed',
    ...rule,
    ...(rejection !== undefined && effectiveStatus !== undefined ? { rejection } : {}),
    ...(cause === undefined ? {} : { unusable: cause }),
    ...(status === 404 && !/model/i.test([...codes, message].join()) && { isPathUnknown: true }),
    retryAfterMs: retryAfterMsOf({ headers, json }, rule, parts),
    status: effectiveStatus ?? silentStatus,
    requestId: requestIdOf(headers, json),
    usage: hasCount(usage) || usage.reportedCost !== undefined ? usage : undefined,
    detail: detailOf(redact, `status ${words === undefined ? state : `${state}: ${words}`}`),
    ...(sentence === undefined ? {} : { sentence }),
  };
}

const silentStatus = 502;

type Reasons = { readonly [Name in 'account' | 'rejection']?: FailedOutcome[Name] | undefined };

/** Some platforms moderate with 403: about the request, not the account. */
function reasonsOf(error: ReadableError, read: Omit<RejectionParts, 'status'>): Reasons {
  const { status } = error;
  const account = readAccount(error);
  if (account !== undefined && account !== 'forbidden') return { account };
  const isRejected = status === undefined || status === 403 || isBadRequest(status);
  const rejection = isRejected ? readRejection({ ...read, status }) : undefined;
  const isAllowed = account === undefined || rejection?.reason === 'content_policy';
  return isAllowed ? { rejection } : { account };
}

function isBadRequest(status: number): boolean {
  return ruleOfStatus(status).code === 'BAD_REQUEST';
}

/** No status was reported; a filter may reject output that is billed. */
function unnamedStatus({ rejection }: Reasons): number | undefined {
  return rejection === undefined || rejection.reason === 'content_policy' ? undefined : 400;
}

function stateInBody(status: number, named = silentStatus, codes: readonly string[] = []): string {
  const others = codes.filter((code) => code !== String(named));
  return `${status}, error ${[named, ...others].join(' ')}`;
}

/** The message of an unexpected error may quote a response, so only the name is logged. */
export function unexpectedFailure(error: unknown): FailedOutcome {
  const name = error instanceof Error ? error.name : typeof error;
  return { ...nothingCame, ...unusable, detail: `failed with ${name}` };
}

/** Reads a date by the platform's clock, if given. */
function retryAfterMsOf(
  { headers, json }: { readonly headers: Headers; readonly json?: unknown },
  { code }: Pick<FailedOutcome, 'code'>,
  { context }: FailedParts,
): number | undefined {
  const answeredAtMs = Date.parse(headers.date ?? '');
  const nowMs = Number.isNaN(answeredAtMs) ? context.clock.now() : answeredAtMs;
  const waitMs = readWait({ headers, json, nowMs, isThrottled: code === 'THROTTLED' });
  return waitMs === undefined ? undefined : Math.min(waitMs, retryAfterMsMax);
}

/** Omits quotes of the request, a caller's prompt. */
function sentenceOf(text: string, { redact, request }: FailedParts): string {
  return detailOf(redact, withoutQuotes(text.slice(0, sentenceLengthMax), request));
}

/** Redacts before clipping, so no half of a secret remains. */
function detailOf(redact: Redact, text: string): string {
  const redacted = redact(text.slice(0, sentenceLengthMax));
  return redacted.replace(/\s+/g, ' ').slice(0, detailLengthMax).trimEnd();
}
