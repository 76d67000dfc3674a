import { setTimeout as sleep } from 'node:timers/promises';

/** A service in its own process, with the means to attack it and to measure it. */
export interface RunningService {
  readonly url: string;
  readonly adminUrl: string;
  readonly key: string;
  /** CPU time of all threads since its start, in ms. */
  readonly cpuMs: () => number;
}

/** One input, and its limit of CPU time. */
export interface LinearRow {
  readonly name: string;
  /** The limit of the service's CPU, in ms. */
  readonly atMostMs: number;
  /** CPU in ms of the cheapest of the runs. */
  readonly measure: (service: RunningService, runs: number) => Promise<number>;
}

/** A service that uses less than this between two checks is idle. */
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

/** A service might work after its response, and the system counts a delayed thread later. */
async function untilIdle({ cpuMs }: RunningService): Promise<void> {
  for (let quietChecks = 0, last = cpuMs(); quietChecks < 2; ) {
    await sleep(checkMs);
    const now = cpuMs();
    quietChecks = now - last < idleMs ? quietChecks + 1 : 0;
    last = now;
  }
}
