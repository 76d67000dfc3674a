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

/** How callers of one API speak: their key, their errors, the answers that they expect. */
export interface Dialect {
  readonly name: string;
  /** What it calls the routes and fields that sentences name. */
  readonly names: ApiNames;
  /** Where it names the request beside our own header; absent where it does not. */
  readonly withRequestId?: (answer: Answer, requestId: string) => Answer;
  /** Whether `authorization: Bearer` is a key here, in addition to `x-api-key`. */
  readonly readsBearer: boolean;
  /** Whether `api-key` is a key here, as clients of Azure send it. */
  readonly readsAzureKey?: true;
  /** The error for two different keys; absent where they are an unknown key. */
  readonly twoKeys?: () => CallError;
  /** The key of one logical call; throws INVALID for one that is malformed. */
  idempotencyKey(request: RequestHead, body: Uint8Array | undefined): IdempotencyKey | undefined;
  /** What a call came to, also where it was made for an earlier request. */
  encode(result: CallResult, request: RequestHead): Answer;
  /** What was asked for that is no call. */
  encodeReport(report: object, status?: number): Answer;
  /** How it tells answers as they come. */
  readonly stream: StreamDialect;
  /** `request` is undefined for what is malformed, and so none. */
  refuse(refusal: Refusal, request?: RequestHead): Answer;
  /** Its routes, for a caller who asks for another; streams are there for some apps. */
  routeList(isStreaming: boolean): string;
}

/** How an answer is told as it comes. Every text that is answered here is whole events. */
export interface StreamDialect {
  /** What of the answer its caller has by an earlier request; throws INVALID. */
  request(head: RequestHead): StreamRequest;
  headersOf(answered: { readonly isReplayed: boolean }): Readonly<Record<string, string>>;
  /** What is written while there is nothing to tell. */
  readonly comment: string;
  /** What is told before the first delta; empty where its caller has that. */
  start(live: LiveCall): string;
  delta(text: string, number: number, told: ToldAnswer): string;
  /** What is told at the end, behind the delta of this number. */
  end(result: CallResult, number: number, told: ToldAnswer): string;
  /** All of an answer that has come to its end. */
  whole(result: Exclude<CallResult, FailedCall>, told: Omit<ToldAnswer, 'live'>): Answer;
}

/** Which answer is told, and how. */
export interface ToldAnswer {
  readonly live: Pick<LiveCall, 'callId' | 'model'>;
  readonly operation: OperationName;
  /** Whether its caller wants the counts at its end. */
  readonly withUsage?: boolean | undefined;
}

/** A header by its lower-case name. */
export type Header = (name: string) => string | undefined;

/** A request without its body. */
export interface RequestHead {
  readonly method: string;
  /** The path alone, as sent. */
  readonly path: string;
  readonly header: Header;
  /** Whether a header came on more than one line. */
  readonly isRepeated: (name: string) => boolean;
}

/** Whether a request in a run may ask for what is at these parameters; none may unless told. */
type ForRun = (run: Run, parameters: readonly string[]) => boolean;

/** What a route does; its kind says whether a key is needed, and whether a body is read. */
export type Handler = OpenHandler | ReportHandler | AskHandler | CallHandler | StreamHandler;

/** Needs no key and has no line in the log. */
export interface OpenHandler {
  readonly kind: 'open';
  readonly answer: (isDraining: boolean) => Answer;
}

/** Tells an app something; few have a body. Throws a CallError where it cannot. */
export interface ReportHandler {
  readonly kind: 'report';
  readonly report: (
    app: App,
    parameters: readonly string[],
    body: Uint8Array | undefined,
  ) => Promise<object>;
  readonly isForRun?: ForRun;
}

/** Tells an app what it asks for in a JSON body. Throws a CallError where it cannot. */
export interface AskHandler {
  readonly kind: 'ask';
  readonly answer: (
    body: JsonBody,
    context: CallContext,
    request: RequestHead,
  ) => Promise<Told | GatewayRefusal>;
  readonly isForRun?: ForRun;
}

/** What is told of no call. */
export interface Told {
  readonly kind: 'told';
  readonly report: object;
  /** 200 where it says no other. */
  readonly status?: number;
  /** Whether it was told before, under the same idempotency key. */
  readonly isReplayed?: true;
}

/** Makes a call of a model of a JSON body. Throws INVALID with the path of what is wrong in it. */
export interface CallHandler {
  readonly kind: 'call';
  readonly parse: (
    body: JsonBody,
    context: CallContext,
    request: RequestHead,
  ) => ParsedCall | Promise<ParsedCall | GatewayRefusal>;
}

/** Makes a call whose answer is told as it comes, for apps that may have it so, by POST alone. */
export interface StreamHandler {
  readonly kind: 'stream';
  readonly parse: CallHandler['parse'];
  /** Its name in metrics for apps that may have it so: the others share one. */
  readonly streamedName: string;
  /** What the others are told, whatever their method. */
  readonly why: string;
}

/** A body that is text of the right type. */
export interface JsonBody {
  readonly text: string;
  readonly bytes: number;
}

/** What a body asks for. */
export interface ParsedCall extends Omit<Call<CallFields>, 'context'> {
  readonly kind: 'call';
  /** Set where the body itself asks for its answer as it comes. */
  readonly stream?: StreamRequest | undefined;
  /** What every answer to it says in headers, by the model of an alias that was asked last. */
  readonly headersOf?: (servedBy: string | undefined) => Readonly<Record<string, string>>;
}
