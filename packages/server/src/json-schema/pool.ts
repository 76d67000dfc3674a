import { systemClock, type Timer } from '../lib/clock.ts';
import { createFairQueue } from '../lib/fair-queue.ts';
import type { Log } from '../lib/log.ts';
import { type CpuBudget, createCpuBudget } from './cpu-budget.ts';
import { type CpuMsOf, cpuMsOf } from './cpu-limit.ts';
import type { CheckRequest } from './messages.ts';
import { type PoolLimits, type PoolOutcome, poolLimits } from './pool-limits.ts';
import { SchemaThread } from './thread.ts';

export interface Pool {
  /** Never rejects. Checks of paid responses run even if the app's processor time is used up. */
  run(app: string, request: CheckRequest): Promise<PoolOutcome>;
  /** Ends threads in any state. Threads keep no process alive. */
  close(): void;
}

interface Job {
  readonly app: string;
  readonly request: CheckRequest;
  readonly end: (outcome: PoolOutcome) => void;
  readonly wait: Timer;
}

export function createPool(parts: {
  readonly log: Log;
  readonly budget?: CpuBudget;
  readonly limits?: PoolLimits;
  readonly cpuMsOf?: CpuMsOf;
}): Pool {
  const { log, limits = poolLimits, budget = createCpuBudget({ clock: systemClock }) } = parts;
  const threads = new Set<SchemaThread>();
  const queue = createFairQueue<Job>();
  const busyApps = new Set<string>();
  let isClosed = false;
  return {
    run: (app, request) => new Promise((resolve) => add(app, request, resolve)),
    close() {
      isClosed = true;
      for (const thread of threads) thread.close();
    },
  };

  function add(app: string, request: CheckRequest, end: Job['end']) {
    const waitMs = request.value === undefined ? limits.waitMs : limits.answerWaitMs;
    const wait = systemClock.after(waitMs, () => {
      if (leave()) end({ kind: 'crowded' });
    });
    const leave = queue.add(app, { app, request, end, wait });
    dispatch();
  }

  /** At most one thread per app, so other apps get theirs. */
  function dispatch() {
    for (const thread of threads) {
      if (!thread.isFree()) continue;
      const job = takeAffordable();
      if (job === undefined) return;
      begin(thread, job);
    }
    const isStarting = [...threads].some((thread) => thread.isStarting());
    if (isStarting || isClosed || threads.size >= limits.threadsMax) return;
    if (queue.isWaiting(busyApps)) start();
  }

  function takeAffordable(): Job | undefined {
    for (let job = queue.take(busyApps); job !== undefined; job = queue.take(busyApps)) {
      job.wait.cancel();
      const waitMs = job.request.value === undefined ? budget.waitMs(job.app) : 0;
      if (waitMs === 0) return job;
      job.end({ kind: 'crowded', waitMs });
    }
    return undefined;
  }

  function begin(thread: SchemaThread, { app, request, end }: Job) {
    busyApps.add(app);
    thread.run(request, async (outcome, spentMs) => {
      end(outcome);
      // The app's next job waits until the time of this one is measured.
      budget.spend(app, await spentMs);
      busyApps.delete(app);
      dispatch();
    });
  }

  function start() {
    const onExit = () => {
      threads.delete(thread);
      dispatch();
    };
    const cpuMsOfThread = parts.cpuMsOf ?? cpuMsOf;
    const thread = new SchemaThread({
      ...{ log, limits, cpuMsOf: cpuMsOfThread, onReply: dispatch, onExit },
    });
    threads.add(thread);
  }
}
