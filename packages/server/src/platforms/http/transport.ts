import { findExcess, type JsonCounts } from '../../lib/json-size.ts';
import type { RequestWork } from '../../lib/work.ts';
import type { Flow } from './flow.ts';

/** One HTTP exchange with a platform. Never rejects: what brought no answer is a failure. */
export type Send = (request: SendRequest) => Promise<SendOutcome>;

/** What is sent. */
export interface SendRequest {
  readonly method: string;
  /** Begins with a slash; follows the path of the transport's base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The only limit of time: cuts the exchange, whatever it is doing. */
  readonly signal: AbortSignal;
  /** Whose call it is: apps share no connection. Undefined for the gateway's own requests. */
  readonly app?: string | undefined;
  readonly told?: ToldId | undefined;
  /** Times what reading the answer costs this thread. */
  readonly work?: RequestWork | undefined;
  /** Reads the answer as it comes, where it is for that; absent: it is collected. */
  readonly openReader?: OpenReader | undefined;
  /** The longest answer that is collected, in bytes; by default {@link answerBytesMax}. */
  readonly answerBytesMax?: number | undefined;
}

/**
 * Where the platform's id of a request is written as soon as the head of its answer has come, which
 * may be long before the rest of it.
 */
export interface ToldId {
  requestId: string | undefined;
}

/** The first lines of an answer. */
export interface AnswerHead {
  readonly status: number;
  /** Names in lower case; a repeated header's values are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Hears the head of an answer, and says what reads the body on the way; undefined where it is to be
 * collected. Never throws.
 */
export type OpenReader = (head: AnswerHead, flow: Flow) => ByteReader | undefined;

/** Reads a body as it comes, and bounds it. Never throws. */
export interface ByteReader {
  /** Takes the next bytes. */
  read(chunk: Buffer): Reading;
}

/**
 * Undefined while more is wanted; `end` once nothing is; `collect` where the body, from these bytes
 * on, is not for this reader; else why what came is not taken.
 */
export type Reading = undefined | 'end' | 'collect' | Refusal;

/** A whole answer, of any status; redirects are answers like others. */
export interface SendResponse extends AnswerHead {
  /** Empty where a follower read it as it came. */
  readonly body: Buffer;
}

/** A way to one platform, with its connections. */
export interface Transport {
  readonly send: Send;
  /** Closes every connection; what runs on one fails as `lost`. */
  close(): Promise<void>;
}

/**
 * Why an exchange brought no answer:
 * - `lost`: the connection could not be made, or died;
 * - `aborted`: the caller's signal cut it;
 * - `unusable`: an answer came and was not taken: too large, encoded, of the wrong length;
 * - `no-descriptors`: this process can open no further connection;
 * - `no-credentials`: this process has nothing to call the platform with.
 */
export type TransportFailureKind =
  | 'lost'
  | 'aborted'
  | 'unusable'
  | 'no-descriptors'
  | 'no-credentials';

/** An exchange without a usable answer. */
export interface TransportFailure {
  readonly kind: TransportFailureKind;
  /** False only where it is certain that no byte of the request was written to the socket. */
  readonly wasSent: boolean;
  /** The system's, the HTTP library's or this module's code: `ECONNREFUSED`, `UND_ERR_SOCKET`. */
  readonly causeCode: string;
  readonly message: string;
  /** The answer's head, when that much had come. */
  readonly answer: AnswerHead | undefined;
}

/** What an exchange comes to. */
export type SendOutcome = SendResponse | TransportFailure;

/** Tells the two apart. */
export function isFailure(outcome: SendOutcome): outcome is TransportFailure {
  return 'wasSent' in outcome;
}

/** The longest answer that is taken, in bytes. Source: reliability, "upstream faults". */
export const answerBytesMax = 16 * 1024 * 1024;

/**
 * The longest honest answer to a request of `requestBytes` that asked for `maxTokens`. The longest
 * tokens of the vocabularies that are known have 128 characters, blanks all of them; letters
 * written as `\uXXXX` take 6 bytes, and tokens of such letters are short. Some platforms send the
 * request's instructions and tools back, set in lines and escaped; the rest is for what a
 * platform adds to its answers: sources, signatures, ids. ADR 0031.
 */
export function answerBytesFor(maxTokens: number, requestBytes: number): number {
  return Math.min(answerBytesMax, maxTokens * 128 + requestBytes * 6 + 2_097_152);
}

/**
 * What an answer may hold before it is parsed: more than the largest output of any model
 * together with the largest body that a caller may send, which some platforms send back.
 */
export const answerBounds = { depthMax: 128, valuesMax: 500_000, namesMax: 100_000 } as const;

/** Says why a whole body is not handed on to be parsed, be it JSON or not. */
export function refusalOfShape(body: Uint8Array, counts?: JsonCounts): Refusal | undefined {
  return findExcess(body, answerBounds, counts) === undefined ? undefined : refusals.tooIntricate;
}

/** Says why an answer is not taken, from its head alone; undefined when it may be read. */
export function refusalOfHead(
  headers: AnswerHead['headers'],
  bytesMax: number,
): Refusal | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    return refusals.encoded;
  // A missing length is no number, and no number is above the maximum.
  return Number(headers['content-length']) > bytesMax ? refusals.tooLarge : undefined;
}

/** Why an answer is not taken. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Every reason for which an answer is not taken. */
export const refusals = {
  // It was not asked for, and a few bytes of it can be gigabytes.
  encoded: { code: 'ANSWER_ENCODED', message: 'the answer is compressed, which was not asked for' },
  tooLarge: { code: 'ANSWER_TOO_LARGE', message: 'the answer is larger than is taken' },
  tooIntricate: {
    code: 'ANSWER_TOO_INTRICATE',
    message: 'the answer is nested deeper, or holds more values or a longer number, than is taken',
  },
  oddEvent: {
    code: 'ANSWER_ODD_EVENT',
    message: 'an event of the stream is not what its kind says, or no JSON object',
  },
  wrongLength: { code: 'ANSWER_LENGTH', message: 'the answer has not the length that it states' },
} as const satisfies Record<string, Refusal>;

/** The failure of an answer that came and is not taken. */
export function unusableAnswer(answer: AnswerHead, { code, message }: Refusal): TransportFailure {
  return { kind: 'unusable', wasSent: true, causeCode: code, message, answer };
}

/** The code of a system's or a library's error; of several, the first that has one. */
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
