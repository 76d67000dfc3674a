import type { OpenService } from '../compose/open-service.ts';
import type { Stopped } from '../compose/stop.ts';
import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import { assertFree, createCallersListener } from './listen/listen.ts';

export interface CallersServer {
  open(): Promise<void>;
  /** On every thread; returns their common URL. Throws a UsageError. */
  listen(): Promise<string>;
  /** Every thread rereads the store at once. */
  refresh(): Promise<void>;
  /** For the other threads, after the first one. */
  follow(config: Config): Promise<void>;
  /** Every thread announces the stop from now on. */
  drain(): void;
  /** Each thread ends with its calls; unsettled calls are summed. */
  stop(): Promise<Stopped>;
}

export function createCallersServer(parts: {
  readonly service: OpenService;
  readonly config: Config;
  readonly clock: Clock;
}): CallersServer {
  const { service, config, clock } = parts;
  const { registry, ingress, threads } = service;
  const first = createCallersListener(service, config, clock);
  return {
    async open() {
      if (threads === undefined) return;
      await assertFree(config.listen);
      const { detached } = service.runner;
      await threads.start({ share: service.store.share, detached });
    },
    async listen() {
      const { url, port } = await first.listen(config.listen);
      await threads?.listen({ ...config.listen, port });
      return url;
    },
    async refresh() {
      await Promise.all([registry.refresh(), threads?.refresh()]);
    },
    async follow(next) {
      await threads?.follow(next);
    },
    drain() {
      ingress.drain();
      threads?.drain();
    },
    async stop() {
      const ending = [first.stop(), threads?.stop()] as const;
      // Also where one of them fails, the others end their calls.
      await Promise.allSettled(ending);
      const [{ unsettledCalls }, further = 0] = await Promise.all(ending);
      return { unsettledCalls: unsettledCalls + further };
    },
  };
}
