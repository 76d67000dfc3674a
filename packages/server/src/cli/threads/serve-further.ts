import type { FurtherService } from '../../compose/open-further.ts';
import { cutWanted, type SharingThread } from '../../compose/threads/threads.ts';
import type { Config } from '../../domain/config.ts';
import type { Listen } from '../../domain/listen.ts';
import { type Clock, every } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { MetricsOfThread } from '../../observe/merge-metrics.ts';
import { createCallersListener } from '../listen/listen.ts';
import type { Answer, Ask, Order, Said } from './messages.ts';

export interface ServedFurther {
  answer(ask: Follow | Exclude<Ask, { kind: 'follow' }>): Promise<Answer>;
  obey(order: Order): void;
}

type Follow = Omit<Extract<Ask, { kind: 'follow' }>, 'sent'> & { readonly next: Config };

const stateMs = 1_000;

export function serveFurther(
  service: FurtherService,
  parts: {
    readonly config: Config;
    readonly counts: SharingThread['counts'];
    readonly clock: Clock;
    readonly log: Log;
    readonly say: (said: Said) => void;
  },
): ServedFurther {
  const { config, counts, clock, log, say } = parts;
  const { live, monitor, registry, ingress } = service;
  const listener = createCallersListener(service, config, clock);
  monitor.watchProcess();
  tellState();
  const telling = every(
    clock,
    stateMs,
    async () => tellState(),
    (error) =>
      log.warn({ error: String(error) }, 'could not publish the state of a request thread'),
  );
  return { answer, obey };

  function tellState() {
    const { instanceId, circuits, load } = live;
    const isAlive = service.isAlive();
    const state = { instanceId, circuits: circuits(), load: load(), isAlive };
    say({ kind: 'state', state });
  }

  async function answer(ask: Follow | Exclude<Ask, { kind: 'follow' }>): Promise<Answer> {
    switch (ask.kind) {
      case 'listen':
        await listen(ask.at);
        return {};
      case 'refresh':
        await registry.refresh();
        return {};
      case 'follow':
        await service.follow(ask.next);
        return {};
      case 'metrics':
        return { metrics: await monitor.metrics() };
      case 'stop':
        return stop();
    }
  }

  async function listen(at: Listen) {
    const { url } = await listener.listen(at);
    live.tellUrl(url);
  }

  async function stop(): Promise<Answer> {
    const { unsettledCalls } = await listener.stop();
    await telling.stop();
    // Operators watch the stop of the process to its end: then this thread is as it was last.
    tellState();
    const metrics = await lastMetrics(monitor, log);
    await service.close();
    return { unsettledCalls, ...(metrics && { metrics }) };
  }

  function obey(order: Order) {
    switch (order.kind) {
      case 'drain':
        return ingress.drain();
      case 'cut':
        return cutWanted(service.runner.detached, counts);
    }
  }
}

/** They must not make a stop fail. */
async function lastMetrics(
  monitor: FurtherService['monitor'],
  log: Log,
): Promise<MetricsOfThread | undefined> {
  try {
    return await monitor.metrics();
  } catch (error) {
    log.warn(
      { error: String(error) },
      'request thread ended before its last metrics were collected',
    );
    return undefined;
  }
}
