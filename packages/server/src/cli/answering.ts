import type { OpenService } from '../compose/open-service.ts';
import type { Stopped } from '../compose/stop.ts';
import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import { assertFree, createCallersListener } from './listen/listen.ts';

/** What answers callers: a process's first thread, and those beside it where it has any. */
export interface Answering {
  /** Opens the services of further threads, which no caller reaches yet. Throws a UsageError. */
  open(): Promise<void>;
  /** Opens the listener of every thread; answers the URL of them all. Throws a UsageError. */
  listen(): Promise<string>;
  /** Has every thread see at once what has changed in the store. */
  refresh(): Promise<void>;
  /** Has the further threads put in force what the first one has. */
  follow(config: Config): Promise<void>;
  /** From now on every thread says that the process is stopping. */
  drain(): void;
  /** Ends all threads, each with its calls; all that could not be settled are told together. */
  stop(): Promise<Stopped>;
}

/** Nothing is open yet. */
export function createAnswering(parts: {
  readonly service: OpenService;
  readonly config: Config;
  readonly clock: Clock;
}): Answering {
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
