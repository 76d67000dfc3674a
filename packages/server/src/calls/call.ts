import type { CallFields } from '@model-gateway/contract';
import type { CallFacts } from '../books/rows.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Limits } from '../domain/limits.ts';
import type { OnLeft } from '../domain/platform.ts';
import type { App } from '../domain/registered-app.ts';
import type { Run } from '../domain/run.ts';
import type { UnpricedPolicy } from '../domain/unpriced-policy.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { UsageNames } from '../ledger/usage-names.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { KeyRing } from '../lib/key-ring.ts';
import type { Log } from '../lib/log.ts';
import type { Observer } from '../lib/observer.ts';
import type { OneShot } from '../lib/one-shot.ts';
import type { RetryPolicy } from '../lib/retry.ts';
import type { TimeLimit } from '../lib/time-limit.ts';
import type { RequestWork } from '../lib/work.ts';
import type { Registry } from '../registry/registry.ts';
import type { Admitted } from './admission/admit.ts';
import type { RequestSize } from './admission/bound.ts';
import type { ApiNames } from './api-names.ts';
import type { Generated } from './attempts.ts';
import type { CallTrace } from './call-trace.ts';
import type { CountedElsewhere, DetachedCalls } from './detached.ts';
import type { WarnOfDoubts } from './doubt-warnings.ts';
import type { Failed } from './failure.ts';
import type { Adoption } from './idempotency/adoption.ts';
import type { IdempotencyKey } from './idempotency/key.ts';
import type { IdempotentReplays } from './idempotency/replay.ts';
import type { ModelOperation, Reading } from './model-operations/operation.ts';
import type { Permit } from './permit.ts';
import type { RequestLog } from './request-log.ts';
import type { ModelRoute, Routing } from './routing.ts';
import type { LiveStreams } from './stream/live-streams.ts';
import type { UnpricedModel } from './unpriced-warnings.ts';

/** What a request is to its call: made once, and handed on as one thing. */
export interface CallContext {
  readonly requestId: string;
  readonly app: App;
  /** The API key that asks, by its id. */
  readonly keyId: string;
  /** The network that asks, shortened; undefined where that is not known. */
  readonly remote: string | undefined;
  /** Where it stands in its caller's trace; undefined where it is in none. */
  readonly trace: CallTrace | undefined;
  /** The run that it asks in; undefined for none. */
  readonly run: Run | undefined;
  /** As metrics name it. */
  readonly route: string;
  /** Undefined for a request without an idempotency key. */
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** What a retry of a request without a key may take up; undefined where none may. */
  readonly adoption?: Adoption | undefined;
  /** What a detached call goes on to hold. */
  readonly permit: Permit;
  /** Comes when no caller waits for the answer any more. */
  readonly callerGone: OneShot;
  readonly log: RequestLog;
  /** Times what the request costs this thread. */
  readonly work: RequestWork;
  /** Which dialect tells the result, also where it is kept under the key. */
  readonly dialect: string;
  /** What that dialect calls the routes and fields that sentences name. */
  readonly names: ApiNames;
  /** Set where the caller wants the answer as it comes. */
  readonly stream?: StreamRequest | undefined;
}

/** How an answer is wanted that is told as it comes. */
export interface StreamRequest {
  /** Whether its caller wants the counts at its end; a dialect may tell them anyway. */
  readonly withUsage?: boolean | undefined;
  /** The number of the last delta that the caller has of an earlier request with its key; or 0. */
  readonly after: number;
}

/** One call of a model, validated. */
export interface Call<Request extends CallFields> {
  readonly context: CallContext;
  readonly operation: ModelOperation<Request>;
  readonly request: Request;
  readonly size: RequestSize;
  /** The body by its caller's names, its conversation aside; absent where that is the request. */
  readonly sent?: (() => Readonly<Record<string, unknown>>) | undefined;
}

/** A call whose money is held. */
export interface ReservedCall<Request extends CallFields> extends Call<Request> {
  readonly admitted: Admitted;
  readonly facts: CallFacts;
  /** One for each of the candidates, in their order. */
  readonly routes: readonly [ModelRoute, ...ModelRoute[]];
}

/** What a call came to upstream, and what its operation read in it. */
export interface ReadAnswer extends Generated {
  /** The failure of the last attempt where there was no answer to read. */
  readonly reading: Reading | Failed;
}

/** What the path of a call is made of. */
export interface CallParts {
  readonly ledger: Ledger;
  readonly catalog: Catalog;
  readonly routing: Routing;
  readonly retry: RetryPolicy;
  readonly limits: Limits;
  readonly unpriced: UnpricedPolicy;
  readonly usageNames: UsageNames;
  readonly clock: Clock;
  /** What kept answers are sealed under; undefined where the operator has none. */
  readonly ring: KeyRing | undefined;
  /** The time that idempotency keys live by. */
  readonly keyClock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly log: Log;
  readonly replays: IdempotentReplays;
  /** Which caps beside its app's day a call is held to. */
  readonly budgets: Pick<Registry, 'scopesOf' | 'isVisible' | 'budgets' | 'refresh'>;
  /** The name of this process in the ledger. */
  readonly instanceId: string;
  readonly observer: Observer;
  /** Where calls are counted that go on behind an answer. */
  readonly counted: CountedElsewhere;
  /** What becomes of a stream whose caller has left, by the name of its platform. */
  readonly onLeftOf: (platform: string) => OnLeft;
}

/** What running a call needs. */
export interface RunParts extends CallParts {
  readonly detached: DetachedCalls;
  /** How long a platform is waited for. */
  readonly modelTime: TimeLimit;
  /** How long the first delta of a stream is waited for. */
  readonly firstTime: TimeLimit;
  readonly streams: LiveStreams;
  readonly warnOfDoubts: WarnOfDoubts;
  readonly warnOfUnpriced: (unpriced: UnpricedModel) => void;
}
