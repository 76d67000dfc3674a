import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createLedgerQueue, type LedgerQueue } from '../ledger/queue.ts';
import { type Roller, startRoller } from '../ledger/roller.ts';
import { type Sweeper, startSweeper, type UsedKeys } from '../ledger/sweeper.ts';
import type { Observer } from '../lib/observer.ts';
import { newestSchema } from '../store/schema/migrations.ts';
import type { Instance } from './instance.ts';

export interface Accounts {
  readonly queue: LedgerQueue;
  readonly ledger: Ledger;
  readonly sweeper: Sweeper;
  readonly roller: Roller;
}

/** Registers this instance in the store and ends reservations that earlier instances left. */
export async function openAccounts(
  { config, live, store, clock, keyClock, log, instanceId, thread }: Instance,
  observer: Observer,
  keyUse: UsedKeys,
): Promise<Accounts> {
  const queue = createLedgerQueue({ store, clock, observer });
  const ledger = createLedger({ queue, clock, log });
  const sweeper = await startSweeper({
    store,
    ledger,
    clock,
    log,
    instanceId,
    get configHash() {
      return live.config.hash;
    },
    schemaVersion: newestSchema(store.kind),
    isFirstInstance: store.kind === 'sqlite' && thread === 1,
    isOneProcess: store.kind === 'sqlite',
    ...{ keyClock, keyUse },
    keysLiveMs: config.limits.idempotencyMs + longestCallMs(config.limits),
  });
  const roller = startRoller({ store, clock, log, instanceId });
  return { queue, ledger, sweeper, roller };
}

function longestCallMs({ modelCallMs, drainMs }: Instance['config']['limits']): number {
  return modelCallMs + drainMs + 60_000;
}
