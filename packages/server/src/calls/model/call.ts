import type { CallFields } from '@model-gateway/contract';
import type { CallFacts } from '../../books/rows.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Limits } from '../../domain/limits.ts';
import type { OnLeft } from '../../domain/platform.ts';
import type { SharedDetached } from '../../domain/process-counts.ts';
import type { App } from '../../domain/registered-app.ts';
import type { Run } from '../../domain/run.ts';
import type { UnpricedPolicy } from '../../domain/unpriced-policy.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { UsageNames } from '../../ledger/usage-names.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { Log } from '../../lib/log.ts';
import type { Observer } from '../../lib/observer.ts';
import type { OneShot } from '../../lib/one-shot.ts';
import type { RetryPolicy } from '../../lib/retry.ts';
import type { TimeLimit } from '../../lib/time-limit.ts';
import type { RequestWork } from '../../lib/work.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Admitted } from '../admission/admit.ts';
import type { RequestSize } from '../admission/bound.ts';
import type { ModelRoute, Routing } from '../admission/routing.ts';
import type { Generated } from '../attempts/attempts.ts';
import type { WarnOfDoubts } from '../doubt-warnings.ts';
import type { IdempotentReplays } from '../idempotency/replay.ts';
import type { DetachedCalls } from '../running/detached.ts';
import type { LiveStreams } from '../stream/live-streams.ts';
import type { UnpricedModel } from '../unpriced-warnings.ts';
import type { Adoption } from './adoption.ts';
import type { ApiNames } from './api-names.ts';
import type { CallTrace } from './call-trace.ts';
import type { Failed } from './failure.ts';
import type { IdempotencyKey } from './idempotency-key.ts';
import type { ModelOperation, Reading } from './operation.ts';
import type { Permit } from './permit.ts';
import type { RequestLog } from './request-log.ts';

export interface CallContext {
  readonly requestId: string;
  readonly app: App;
  /** The API key's id. */
  readonly keyId: string;
  /** Shortened; undefined where unknown. */
  readonly remote: string | undefined;
  readonly trace: CallTrace | undefined;
  readonly run: Run | undefined;
  /** The metrics label. */
  readonly route: string;
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** Undefined where no retry may claim the result. */
  readonly adoption?: Adoption | undefined;
  /** A detached call keeps holding it. */
  readonly permit: Permit;
  /** Fires when no caller waits any more. */
  readonly callerGone: OneShot;
  readonly log: RequestLog;
  /** Measures this thread's time. */
  readonly work: RequestWork;
  /** Encodes the result, also the one kept under the key. */
  readonly dialect: string;
  readonly names: ApiNames;
  /** Set for a streamed answer. */
  readonly stream?: StreamRequest | undefined;
}

export interface StreamRequest {
  /** A dialect may send counts anyway. */
  readonly withUsage?: boolean | undefined;
  /** The last delta received by an earlier request with this key; or 0. */
  readonly after: number;
}

export interface Call<Request extends CallFields> {
  readonly context: CallContext;
  readonly operation: ModelOperation<Request>;
  readonly request: Request;
  readonly size: RequestSize;
  /** In the caller's field names, without the conversation; absent where `request` is the same. */
  readonly sent?: (() => Readonly<Record<string, unknown>>) | undefined;
}

export interface ReservedCall<Request extends CallFields> extends Call<Request> {
  readonly admitted: Admitted;
  readonly facts: CallFacts;
  readonly routes: readonly [ModelRoute, ...ModelRoute[]];
}

export interface ReadAnswer extends Generated {
  /** The last attempt's failure where nothing could be read. */
  readonly reading: Reading | Failed;
}

export interface CallParts {
  readonly ledger: Ledger;
  readonly catalog: Catalog;
  readonly routing: Routing;
  readonly retry: RetryPolicy;
  readonly limits: Limits;
  readonly unpriced: UnpricedPolicy;
  readonly usageNames: UsageNames;
  readonly clock: Clock;
  /** Seals kept answers; undefined without the operator's keys. */
  readonly ring: KeyRing | undefined;
  /** Times idempotency keys. */
  readonly keyClock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly log: Log;
  readonly replays: IdempotentReplays;
  /** Caps other than the app's daily one. */
  readonly budgets: Pick<Registry, 'scopesOf' | 'isVisible' | 'budgets' | 'refresh'>;
  /** This process in the ledger. */
  readonly instanceId: string;
  readonly observer: Observer;
  /** Counts detached calls. */
  readonly counted: Pick<SharedDetached, 'add'>;
  /** By platform: what happens to streams whose caller left. */
  readonly onLeftOf: (platform: string) => OnLeft;
}

export interface RunParts extends CallParts {
  readonly detached: DetachedCalls;
  /** The wait for the platform. */
  readonly modelTime: TimeLimit;
  /** The wait for a stream's first delta. */
  readonly firstTime: TimeLimit;
  readonly streams: LiveStreams;
  readonly warnOfDoubts: WarnOfDoubts;
  readonly warnOfUnpriced: (unpriced: UnpricedModel) => void;
}
