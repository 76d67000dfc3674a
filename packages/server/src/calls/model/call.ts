import type { CallFields } from '@model-gateway/contract';
import type { CallFacts } from '../../books/rows.ts';
import type { App } from '../../domain/registered-app.ts';
import type { Run } from '../../domain/run.ts';
import type { OneShot } from '../../lib/one-shot.ts';
import type { RequestWork } from '../../lib/work.ts';
import type { Adoption } from './adoption.ts';
import type { ApiNames } from './api-names.ts';
import type { CallTrace } from './call-trace.ts';
import type { AdmittedModels, RequestSize } from './candidate.ts';
import type { IdempotencyKey } from './idempotency-key.ts';
import type { ModelOperation } from './operation.ts';
import type { Permit } from './permit.ts';
import type { RequestLog } from './request-log.ts';
import type { ModelRoute } from './route.ts';

export interface CallContext {
  readonly requestId: string;
  readonly app: App;
  readonly keyId: string;
  /** Shortened; undefined if unknown. */
  readonly remote: string | undefined;
  readonly trace: CallTrace | undefined;
  readonly run: Run | undefined;
  readonly route: string;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** Undefined if no retry may claim the result. */
  readonly adoption?: Adoption | undefined;
  /** A detached call keeps this permit. */
  readonly permit: Permit;
  readonly callerDisconnected: OneShot;
  readonly log: RequestLog;
  readonly work: RequestWork;
  /** Encodes the result, including the result stored under the key. */
  readonly dialect: string;
  readonly names: ApiNames;
  readonly stream?: StreamRequest | undefined;
}

export interface StreamRequest {
  readonly withUsage?: boolean | undefined;
  /** The last delta that an earlier request with this key received, or 0. */
  readonly after: number;
}

export interface Call<Request extends CallFields> {
  readonly context: CallContext;
  readonly operation: ModelOperation<Request>;
  readonly request: Request;
  readonly size: RequestSize;
  /** In the caller's field names, without the conversation; absent if `request` is the same. */
  readonly sent?: (() => Readonly<Record<string, unknown>>) | undefined;
}

export interface ReservedCall<Request extends CallFields> extends Call<Request> {
  readonly admitted: AdmittedModels;
  readonly facts: CallFacts;
  readonly routes: readonly [ModelRoute, ...ModelRoute[]];
}
