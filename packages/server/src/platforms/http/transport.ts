import { findExcess, type JsonCounts } from '../../lib/json-size.ts';
import { isRecord } from '../../lib/json-value.ts';
import type { RequestWork } from '../../lib/work.ts';
import type { Flow } from './flow.ts';

/** Never rejects. */
export type Send = (request: SendRequest) => Promise<SendOutcome>;

export interface SendRequest {
  readonly method: string;
  /** Begins with a slash; appended to the base URL's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The only time limit. */
  readonly signal: AbortSignal;
  /** Apps share no connection. Undefined for the gateway's own requests. */
  readonly app?: string | undefined;
  readonly requestIdHolder?: RequestIdHolder | undefined;
  readonly work?: RequestWork | undefined;
  readonly openReader?: OpenReader | undefined;
  /** Bytes of a collected response; default {@link answerBytesMax}. */
  readonly answerBytesMax?: number | undefined;
}

/** Set when the head arrives, maybe long before the rest. */
export interface RequestIdHolder {
  requestId: string | undefined;
}

export interface AnswerHead {
  readonly status: number;
  /** Lower-case names; repeated values joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Undefined: collect the body. Never throws. */
export type OpenReader = (head: AnswerHead, flow: Flow) => ByteReader | undefined;

/** Limits the body. Never throws. */
export interface ByteReader {
  read(chunk: Buffer): ReadResult;
}

/**
 * Undefined: read more; `collect`: the body from these bytes on is not for this reader; a Refusal:
 * rejected.
 */
export type ReadResult = undefined | 'end' | 'collect' | Refusal;

/** Any status, including redirects. */
export interface SendResponse extends AnswerHead {
  readonly body: Buffer;
}

export interface Transport {
  readonly send: Send;
  /** Running exchanges fail as `lost`. */
  close(): Promise<void>;
}

/**
 * `lost`: not connected, or broken. `aborted`: canceled by the signal. `unusable`: too large,
 * encoded or of wrong length. `no-descriptors`: this process has none left. `no-credentials`: none
 * for the call.
 */
export type TransportFailureKind =
  | 'lost'
  | 'aborted'
  | 'unusable'
  | 'no-descriptors'
  | 'no-credentials';

export interface TransportFailure {
  readonly kind: TransportFailureKind;
  /** False only if certainly no byte was written to the socket. */
  readonly wasSent: boolean;
  readonly causeCode: string;
  readonly message: string;
  readonly answer: AnswerHead | undefined;
}

export type SendOutcome = SendResponse | TransportFailure;

export function isFailure(outcome: SendOutcome): outcome is TransportFailure {
  return 'wasSent' in outcome;
}

/** Source: reliability, "upstream faults". */
export const answerBytesMax = 16 * 1024 * 1024;

/**
 * The longest known tokens have 128 characters, all blanks; `\uXXXX` has 6 bytes, in short tokens.
 * Some platforms return instructions and tools, escaped; the rest covers sources, signatures and
 * ids. ADR 0031.
 */
export function answerBytesFor(maxTokens: number, requestBytes: number): number {
  return Math.min(answerBytesMax, maxTokens * 128 + requestBytes * 6 + 2_097_152);
}

/** Above any model's largest output plus the largest caller's body, which some platforms return. */
export const answerBounds = { depthMax: 128, valuesMax: 500_000, namesMax: 100_000 } as const;

export function refusalOfShape(body: Uint8Array, counts?: JsonCounts): Refusal | undefined {
  return findExcess(body, answerBounds, counts) === undefined ? undefined : refusals.tooIntricate;
}

export function refusalOfHead(
  headers: AnswerHead['headers'],
  bytesMax: number,
): Refusal | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    return refusals.encoded;
  // A missing length is NaN, and NaN is never above the maximum.
  return Number(headers['content-length']) > bytesMax ? refusals.tooLarge : undefined;
}

/** From headers or body. Source: platforms, 1.7. */
export function requestIdOf(
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): string | undefined {
  const { 'x-request-id': usual, 'request-id': other, 'x-amzn-requestid': amazons } = headers;
  if (isRequestId(usual)) return usual;
  if (isRequestId(other)) return other;
  if (isRequestId(amazons)) return amazons;
  const inBody = isRecord(body) ? body.request_id : undefined;
  return isRequestId(inBody) ? inBody : undefined;
}

/**
 * The id is stored, returned and logged. A NUL, which PostgreSQL rejects, or megabytes must not
 * lose a billed response.
 */
function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,128}$/.test(value);
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

export const refusals = {
  // Unrequested compression: a few bytes can expand to gigabytes.
  encoded: { code: 'ANSWER_ENCODED', message: 'the response is compressed although not requested' },
  tooLarge: { code: 'ANSWER_TOO_LARGE', message: 'the response is larger than the limit' },
  tooIntricate: {
    code: 'ANSWER_TOO_INTRICATE',
    message: 'the response exceeds the limit of nesting, values or digits of a number',
  },
  unexpectedEvent: {
    code: 'ANSWER_ODD_EVENT',
    message: 'an event of the stream does not match its type, or is not a JSON object',
  },
  wrongLength: {
    code: 'ANSWER_LENGTH',
    message: 'the response length does not match content-length',
  },
} as const satisfies Record<string, Refusal>;

export function unusableAnswer(answer: AnswerHead, { code, message }: Refusal): TransportFailure {
  return { kind: 'unusable', wasSent: true, causeCode: code, message, answer };
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  if (!(error instanceof AggregateError)) return undefined;
  for (const inner of error.errors) {
    const innerCode = codeOf(inner);
    if (innerCode !== undefined) return innerCode;
  }
  return undefined;
}
