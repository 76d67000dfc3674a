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
  /** Also puts the request id into the body, where the API does. */
  readonly withRequestId?: (answer: Answer, requestId: string) => Answer;
  /** In addition to `x-api-key`. */
  readonly readsBearer: boolean;
  readonly readsAzureKey?: true;
  /** Absent: two different keys are an unknown key. */
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

/** Every returned text is whole events. */
export interface StreamDialect {
  /** Reads what its caller already has; throws INVALID. */
  request(head: RequestHead): StreamRequest;
  headersOf(answered: { readonly isReplayed: boolean }): Readonly<Record<string, string>>;
  /** Written during silence. */
  readonly comment: string;
  /** Before the first delta; empty where its caller has that. */
  start(live: LiveCall): string;
  delta(text: string, number: number, context: EventContext): string;
  /** `number`: the last delta's. */
  end(result: CallResult, number: number, context: EventContext): string;
  whole(result: Exclude<CallResult, FailedCall>, context: Omit<EventContext, 'live'>): Answer;
}

export interface EventContext {
  readonly live: Pick<LiveCall, 'callId' | 'model'>;
  readonly operation: OperationName;
  readonly withUsage?: boolean | undefined;
}

/** Takes a lower-case name. */
export type Header = (name: string) => string | undefined;

export interface RequestHead {
  readonly method: string;
  /** Without query, as sent. */
  readonly path: string;
  readonly header: Header;
  /** On more than one line. */
  readonly isRepeated: (name: string) => boolean;
}

/** Absent: no request in a run may use the route. */
type ForRun = (run: Run, parameters: readonly string[]) => boolean;

export type Handler = OpenHandler | ReportHandler | JsonHandler | CallHandler | StreamHandler;

/** No key, no log line. */
export interface OpenHandler {
  readonly kind: 'open';
  readonly answer: (isDraining: boolean) => Answer;
}

/** Few have a body. Throws a CallError. */
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

/** POST only; for apps that may stream. */
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
  /** Headers of every answer; `servedBy`: the alias's model that was asked last. */
  readonly headersOf?: (servedBy: string | undefined) => Readonly<Record<string, string>>;
}
