import type { Catalog } from '../catalog/catalog.ts';
import type { Limits } from '../domain/limits.ts';
import type { UnpricedPolicy } from '../domain/unpriced-policy.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { UsageNames } from '../ledger/usage-names.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { KeyRing } from '../lib/key-ring.ts';
import type { Log } from '../lib/log.ts';
import type { Observer } from '../lib/observer.ts';
import type { RetryPolicy } from '../lib/retry.ts';
import type { TimeLimit } from '../lib/time-limit.ts';
import type { Registry } from '../registry/registry.ts';
import type { Routing } from './admission/routing.ts';
import type { WarnOfDoubts } from './doubt-warnings.ts';
import type { IdempotentReplays } from './idempotency/replay.ts';
import type { SharedCounter } from './running/detached.ts';
import type { DetachmentParts } from './running/detachment.ts';
import type { StreamParts } from './stream/stream-state.ts';
import type { UnpricedModel } from './unpriced-warnings.ts';

export interface CallParts extends Pick<StreamParts, 'onLeftOf'> {
  readonly ledger: Ledger;
  readonly catalog: Catalog;
  readonly routing: Routing;
  readonly retry: RetryPolicy;
  readonly limits: Limits;
  readonly unpriced: UnpricedPolicy;
  readonly usageNames: UsageNames;
  readonly clock: Clock;
  /** Seals stored answers; undefined without the operator's keys. */
  readonly ring: KeyRing | undefined;
  readonly keyClock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly log: Log;
  readonly replays: IdempotentReplays;
  readonly budgets: Pick<Registry, 'scopesOf' | 'isVisible' | 'budgets' | 'refresh'>;
  readonly instanceId: string;
  readonly observer: Observer;
  readonly detachedCounter: SharedCounter;
}

export interface RunParts extends CallParts, DetachmentParts, StreamParts {
  readonly modelTime: TimeLimit;
  readonly firstTime: TimeLimit;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly warnOfDoubts: WarnOfDoubts;
  readonly warnOfUnpriced: (unpriced: UnpricedModel) => void;
}
