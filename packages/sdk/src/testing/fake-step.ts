import type {
  ApiErrorCode,
  FinishReason,
  NewRunAnswer,
  QuoteAnswer,
  RunAnswer,
  Usage,
} from '@model-gateway/contract';
import type { GatewayCode } from '../call/failure.ts';
import { isRecord } from '../lib/is-record.ts';
import { FakeScriptError } from './script-error.ts';

/** A scripted response of a model, once. */
export type FakeAnswer =
  | ({ readonly text: string; readonly finishReason?: FinishReason | undefined } & FakeCost)
  | ({ readonly object: unknown } & FakeCost)
  | ({ readonly embeddings: readonly (readonly number[])[] } & FakeCost)
  | ({ readonly toolCalls: readonly FakeToolCall[]; readonly text?: string } & FakeCost)
  | { readonly quote: Partial<QuoteAnswer> }
  | { readonly run: Partial<NewRunAnswer & RunAnswer> }
  | { readonly error: FakeError | FakeErrorCode }
  | { readonly body: object }
  | { readonly hangs: true };

/** The usage and cost of a response. */
export interface FakeCost {
  /** Default: no tokens of any kind. */
  readonly usage?: Partial<Usage> | undefined;
  /** Default `"0"`; `null` for a model without a price. */
  readonly costUsd?: string | null | undefined;
}

/** A tool call of the scripted model; the request must offer the tool. */
export interface FakeToolCall {
  readonly name: string;
  readonly input: unknown;
  /** Default: an id that no other call of the script has. */
  readonly id?: string | undefined;
}

/** A code with a known status; `NETWORK` and `BAD_RESPONSE` are the client's own. */
export type FakeErrorCode =
  | ApiErrorCode
  | GatewayCode
  | 'NETWORK'
  | 'BAD_RESPONSE'
  | `HTTP_${number}`;

/** An error with details. */
export interface FakeError {
  readonly code: FakeErrorCode;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
  readonly model?: string | undefined;
  /** In seconds, like the header. The fake does not wait. */
  readonly retryAfter?: number | undefined;
  /** For a call that streams: the text before the error; NETWORK then breaks the connection. */
  readonly afterText?: string | undefined;
  /** The billed cost of the failed call, for example of a BAD_OUTPUT. */
  readonly costUsd?: string | undefined;
}

const costNames = ['usage', 'costUsd'];
/** The kinds of steps by their distinctive field, with their other fields. */
const kinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['error', []],
  ['body', []],
  ['hangs', []],
  ['quote', []],
  ['run', []],
  ['object', costNames],
  ['embeddings', costNames],
  ['toolCalls', ['text', ...costNames]],
  ['text', ['finishReason', ...costNames]],
]);
const usageNames = [
  ...['inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens', 'outputTokens'],
  'reasoningTokens',
];
const errorNames = [
  ...['code', 'message', 'requestId', 'model', 'retryAfter', 'costUsd', 'afterText'],
];

/** Throws for an invalid step, such as one with a misspelled name. */
export function checkStep(step: unknown, number: number): void {
  const at = `step ${number} of the script`;
  if (!isRecord(step)) throw new FakeScriptError(`${at} must be an object, such as { text: 'Hi' }`);
  const kind = [...kinds].find(([name]) => name in step);
  if (kind === undefined) {
    const given = Object.keys(step).join(', ') || 'nothing';
    throw new FakeScriptError(`${at} returns ${given}; use one of ${[...kinds.keys()].join(', ')}`);
  }
  checkNames(at, step, [kind[0], ...kind[1]]);
  if (isRecord(step.usage)) checkNames(`usage of ${at}`, step.usage, usageNames);
  if (isRecord(step.error)) checkNames(`error of ${at}`, step.error, errorNames);
  if (Array.isArray(step.toolCalls)) {
    for (const call of step.toolCalls) checkNames(`a tool call of ${at}`, call, toolCallNames);
  }
}

const toolCallNames = ['name', 'input', 'id'];

function checkNames(at: string, value: object, names: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new FakeScriptError(
    `${at} has the unknown field ${unknown}; known fields: ${names.join(', ')}`,
  );
}
