import { setTimeout as sleep } from 'node:timers/promises';

/** A service in its own process, with the means to attack it and to measure it. */
export interface RunningService {
  readonly url: string;
  readonly adminUrl: string;
  readonly key: string;
  /** CPU time of all threads since its start, in ms. */
  readonly cpuMs: () => number;
}

/** One input, and the CPU time that it may cost. */
export interface LinearRow {
  readonly name: string;
  /** CPU the service may take, in ms. */
  readonly atMostMs: number;
  /** CPU in ms of the cheapest of the runs. */
  readonly measure: (service: RunningService, runs: number) => Promise<number>;
}

/** A service that takes less than this between two looks is idle. */
const idleMs = 1;
const checkMs = 10;

/** The CPU time of the cheapest of so many runs: a busy machine makes some of them expensive. */
export async function cheapestMs(
  service: RunningService,
  runs: number,
  run: () => Promise<void>,
): Promise<number> {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < runs; count++) {
    const before = service.cpuMs();
    await run();
    await untilIdle(service);
    cheapest = Math.min(cheapest, service.cpuMs() - before);
  }
  return cheapest;
}

/** A service may work on after its answer, and the system counts a thread that runs late. */
async function untilIdle({ cpuMs }: RunningService): Promise<void> {
  for (let quietChecks = 0, last = cpuMs(); quietChecks < 2; ) {
    await sleep(checkMs);
    const now = cpuMs();
    quietChecks = now - last < idleMs ? quietChecks + 1 : 0;
    last = now;
  }
}
