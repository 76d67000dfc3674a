import type { CallFields } from '@model-gateway/contract';
import type { ApiNames } from '../../calls/model/api-names.ts';
import type { Call, CallContext, StreamRequest } from '../../calls/model/call.ts';
import type { CallError } from '../../calls/model/call-error.ts';
import type { IdempotencyKey } from '../../calls/model/idempotency-key.ts';
import type { LiveCall } from '../../calls/model/live-call.ts';
import type { OperationName } from '../../calls/model/operation.ts';
import type { CallResult, FailedCall } from '../../calls/model/result.ts';
import type { App } from '../../domain/registered-app.ts';
import type { Run } from '../../domain/run.ts';
import type { Answer } from './answer.ts';
import type { GatewayRefusal, Refusal } from './refusal.ts';

export interface Dialect {
  readonly name: string;
  readonly names: ApiNames;
  /** Also writes the request id into a body with a field for it. */
  readonly withRequestId?: (answer: Answer, requestId: string) => Answer;
  /** In addition to `x-api-key`. */
  readonly readsBearer: boolean;
  readonly readsAzureKey?: true;
  /** Absent: two different keys count as an unknown key. */
  readonly twoKeys?: () => CallError;
  /** Throws INVALID for a malformed key. */
  idempotencyKey(request: RequestHead, body: Uint8Array | undefined): IdempotencyKey | undefined;
  encode(result: CallResult, request: RequestHead): Answer;
  encodeReport(report: object, status?: number): Answer;
  readonly stream: StreamDialect;
  /** `request` is undefined for malformed input. */
  refuse(refusal: Refusal, request?: RequestHead): Answer;
  routeList(isStreaming: boolean): string;
}

/** Every returned text consists of whole events. */
export interface StreamDialect {
  /** Reads which events the caller already has. Throws INVALID. */
  request(head: RequestHead): StreamRequest;
  headersOf(answered: { readonly isReplayed: boolean }): Readonly<Record<string, string>>;
  /** Written during silence. */
  readonly comment: string;
  /** Before the first delta. Empty if the caller already has it. */
  start(live: LiveCall): string;
  delta(text: string, number: number, context: EventContext): string;
  /** `number`: that of the last delta. */
  end(result: CallResult, number: number, context: EventContext): string;
  whole(result: Exclude<CallResult, FailedCall>, context: Omit<EventContext, 'live'>): Answer;
}

export interface EventContext {
  readonly live: Pick<LiveCall, 'callId' | 'model'>;
  readonly operation: OperationName;
  readonly withUsage?: boolean | undefined;
}

/** `name` is lower-case. */
export type Header = (name: string) => string | undefined;

export interface RequestHead {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly header: Header;
  /** The header has more than one line. */
  readonly isRepeated: (name: string) => boolean;
}

/** Absent: requests of a run cannot use the route. */
type ForRun = (run: Run, parameters: readonly string[]) => boolean;

export type Handler = OpenHandler | ReportHandler | JsonHandler | CallHandler | StreamHandler;

/** Needs no key, and writes no log line. */
export interface OpenHandler {
  readonly kind: 'open';
  readonly answer: (isDraining: boolean) => Answer;
}

/** Few of these routes have a body. Throws a CallError. */
export interface ReportHandler {
  readonly kind: 'report';
  readonly report: (
    app: App,
    parameters: readonly string[],
    body: Uint8Array | undefined,
  ) => Promise<object>;
  readonly isForRun?: ForRun;
}

/** Takes a JSON body. Throws a CallError. */
export interface JsonHandler {
  readonly kind: 'ask';
  readonly answer: (
    body: JsonBody,
    context: CallContext,
    request: RequestHead,
  ) => Promise<JsonReport | GatewayRefusal>;
  readonly isForRun?: ForRun;
}

export interface JsonReport {
  readonly kind: 'told';
  readonly report: object;
  /** Default 200. */
  readonly status?: number;
  readonly isReplayed?: true;
}

/** Throws INVALID with the path of the fault. */
export interface CallHandler {
  readonly kind: 'call';
  readonly parse: (
    body: JsonBody,
    context: CallContext,
    request: RequestHead,
  ) => ParsedCall | Promise<ParsedCall | GatewayRefusal>;
}

/** Only POST, and only for apps that may stream. */
export interface StreamHandler {
  readonly kind: 'stream';
  readonly parse: CallHandler['parse'];
  readonly streamedName: string;
  readonly why: string;
}

export interface JsonBody {
  readonly text: string;
  readonly bytes: number;
}

export interface ParsedCall extends Omit<Call<CallFields>, 'context'> {
  readonly kind: 'call';
  readonly stream?: StreamRequest | undefined;
  /** Headers of every response. `servedBy`: the model of the alias that was called last. */
  readonly headersOf?: (servedBy: string | undefined) => Readonly<Record<string, string>>;
}
