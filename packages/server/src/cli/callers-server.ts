import type { OpenService } from '../compose/open-service.ts';
import type { Stopped } from '../compose/stop.ts';
import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import { assertFree, createCallersListener } from './listen/listen.ts';

export interface CallersServer {
  open(): Promise<void>;
  /** Listens on every thread; returns the common URL. Throws a UsageError. */
  listen(): Promise<string>;
  /** Every thread reads the store again at once. */
  refresh(): Promise<void>;
  /** Applies the configuration to the other threads, after the first one. */
  follow(config: Config): Promise<void>;
  /** From now on every thread announces the shutdown. */
  drain(): void;
  /** Each thread ends with its calls. Returns the sum of unsettled calls. */
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
      // If one thread fails, the others still end their calls.
      await Promise.allSettled(ending);
      const [{ unsettledCalls }, further = 0] = await Promise.all(ending);
      return { unsettledCalls: unsettledCalls + further };
    },
  };
}
