import { createRouting } from '../calls/admission/routing.ts';
import { createReplays, type IdempotentReplays } from '../calls/idempotency/replay.ts';
import { createQuotes, type Quotes } from '../calls/quote.ts';
import { type CallRunner, createCallRunner } from '../calls/run.ts';
import { createUsageNames } from '../ledger/usage-names.ts';
import type { Observer } from '../lib/observer.ts';
import {
  type CircuitBreakers,
  createCircuitBreakers,
} from '../platforms/outage/circuit-breakers.ts';
import type { Registry } from '../registry/registry.ts';
import type { Accounts } from './accounts.ts';
import type { Instance } from './instance.ts';
import type { Models } from './models.ts';

export interface Calls {
  readonly runner: CallRunner;
  readonly quotes: Quotes;
  readonly replays: IdempotentReplays;
  readonly outageProtection: CircuitBreakers;
}

export function createCalls(
  instance: Instance,
  { catalog, platforms }: Models,
  { ledger }: Accounts,
  budgets: Registry,
  observer: Observer,
): Calls {
  const { config, store, clock, keyClock, ids, log, instanceId, counts, processEvents } = instance;
  const { retry, limits, unpriced } = config;
  const replays = createReplays({ store, clock, log, callEvents: processEvents });
  const outageProtection = createCircuitBreakers({
    clock,
    log,
    isOneOfSeveral: counts.threads > 1,
  });
  const onLeft = new Map(config.platforms.map((platform) => [platform.name, platform.onLeft]));
  const routing = createRouting({ platforms, circuitBreakers: outageProtection });
  const shared = { catalog, routing, limits, unpriced, clock, keyClock, instanceId, budgets };
  const runner = createCallRunner({
    ...shared,
    ledger,
    retry,
    usageNames: createUsageNames({ store }),
    ids,
    ring: store.ring,
    log,
    replays,
    observer,
    detachedCounter: counts.detached,
    onLeftOf: (name) => onLeft.get(name) ?? 'drain',
  });
  return { runner, quotes: createQuotes({ ...shared, store }), replays, outageProtection };
}
