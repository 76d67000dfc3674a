import type { FurtherService } from '../../compose/open-further.ts';
import { cutRequestedCalls, type SharingThread } from '../../compose/threads/threads.ts';
import type { Config } from '../../domain/config.ts';
import type { ListenAddress } from '../../domain/listen.ts';
import { type Clock, every } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { MetricsOfThread } from '../../observe/merge-metrics.ts';
import { createCallersListener } from '../listen/listen.ts';
import type { Answer, Order, ThreadMessage, ThreadRequest } from './messages.ts';

export interface ServedFurther {
  answer(request: Follow | Exclude<ThreadRequest, { kind: 'follow' }>): Promise<Answer>;
  obey(order: Order): void;
}

type Follow = Omit<Extract<ThreadRequest, { kind: 'follow' }>, 'sent'> & { readonly next: Config };

const stateMs = 1_000;

export function serveFurther(
  service: FurtherService,
  parts: {
    readonly config: Config;
    readonly counts: SharingThread['counts'];
    readonly clock: Clock;
    readonly log: Log;
    readonly post: (message: ThreadMessage) => void;
  },
): ServedFurther {
  const { config, counts, clock, log, post } = parts;
  const { live, monitor, registry, ingress } = service;
  const listener = createCallersListener(service, config, clock);
  monitor.watchProcess();
  publishState();
  const publishing = every(
    clock,
    stateMs,
    async () => publishState(),
    (error) =>
      log.warn({ error: String(error) }, 'could not publish the state of a request thread'),
  );
  return { answer, obey };

  function publishState() {
    const { instanceId, circuits, load } = live;
    const isAlive = service.isAlive();
    const state = { instanceId, circuits: circuits(), load: load(), isAlive };
    post({ kind: 'state', state });
  }

  async function answer(
    request: Follow | Exclude<ThreadRequest, { kind: 'follow' }>,
  ): Promise<Answer> {
    switch (request.kind) {
      case 'listen':
        await listen(request.at);
        return {};
      case 'refresh':
        await registry.refresh();
        return {};
      case 'follow':
        await service.follow(request.next);
        return {};
      case 'metrics':
        return { metrics: await monitor.metrics() };
      case 'stop':
        return stop();
    }
  }

  async function listen(at: ListenAddress) {
    const { url } = await listener.listen(at);
    live.setUrl(url);
  }

  async function stop(): Promise<Answer> {
    const { unsettledCalls } = await listener.stop();
    await publishing.stop();
    // Operators watch the whole shutdown; until its end this is the thread's last state.
    publishState();
    const metrics = await lastMetrics(monitor, log);
    await service.close();
    return { unsettledCalls, ...(metrics && { metrics }) };
  }

  function obey(order: Order) {
    switch (order.kind) {
      case 'drain':
        return ingress.drain();
      case 'cut':
        return cutRequestedCalls(service.runner.detached, counts);
    }
  }
}

/** Missing metrics must not make the shutdown fail. */
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
