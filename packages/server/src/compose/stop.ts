import { within } from '../lib/deadline.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { Monitor } from '../observe/monitor.ts';
import type { Observing } from '../observe/observing.ts';
import type { Registry } from '../registry/registry.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Accounts } from './accounts.ts';
import type { Calls } from './calls.ts';
import type { Front } from './front.ts';
import type { Instance } from './instance.ts';
import type { Models } from './models.ts';

export interface RunningParts {
  readonly accounts: Accounts;
  readonly models: Models;
  readonly observing: Observing;
  readonly registry: Registry;
  readonly calls: Calls;
  readonly front: Front;
  readonly monitor: Monitor;
  readonly maintenance: readonly ({ stop(): Promise<void> } | undefined)[];
  readonly tracing: Tracing;
  readonly notifier: Notifier | undefined;
}

export interface Stopped {
  /** Their reservations expire later, because the store stayed unavailable. */
  readonly unsettledCalls: number;
}

const lastSettlementsMs = 2_000;

/** A store that no longer responds must not block the shutdown. */
const maintenanceEndMs = 1_000;

/** The store stays open. */
export async function stopService(instance: Instance, running: RunningParts): Promise<Stopped> {
  const { accounts, models, observing, registry, calls, front, monitor } = running;
  // Early: another replica can take over while calls still end here.
  const notified = running.notifier?.stop();
  const unsettledCalls = await finishCalls(instance, running);
  const { sweeper, roller } = accounts;
  const components = [observing, front.limiter, monitor, calls.replays, registry];
  const parts = [...components, roller, sweeper, running.tracing];
  const stopping = [...parts, ...running.maintenance].map((part) => part?.stop());
  await within(instance.clock, maintenanceEndMs, Promise.all([...stopping, notified]));
  front.schemas.close();
  await Promise.all([...models.platforms.values()].map((platform) => platform.close()));
  return { unsettledCalls };
}

/**
 * Responds to requests and settles detached calls; calls still running after `stopMs` end as
 * estimated. Returns the number of unsettled calls, whose reservations expire through a replica or
 * the next startup. Takes little longer than `stopMs`. ADR 0018.
 */
async function finishCalls(
  { clock, log, config: { limits } }: Instance,
  { front: { ingress, streams, concurrency }, calls, accounts: { ledger } }: RunningParts,
): Promise<number> {
  const { stopMs } = limits;
  const { runner } = calls;
  const ending = clock.after(stopMs, cut, { keepAlive: true });
  await within(clock, stopMs + lastSettlementsMs, ended());
  ending.cancel();
  // Nothing may begin from here on: the store is about to close.
  endAll();
  return ledger.end();

  function cut() {
    const { requests } = concurrency.load();
    const cuts = { requests, streams: streams.count(), drains: runner.detached.count() };
    log.warn(
      { stopMs, ...cuts },
      'shutdown timeout (limits.stopMs) reached; remaining calls are canceled, and their costs are booked as estimates',
    );
    endAll();
  }

  function endAll() {
    ingress.endAll();
    runner.streams.stopAll();
    runner.detached.cutAll();
  }

  async function ended() {
    await ingress.idle();
    await ledger.idle();
  }
}
