import { Worker } from 'node:worker_threads';
import { systemClock, type Timer } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import type { Fit } from './compile.ts';
import { type CpuBudget, createCpuBudget } from './cpu-budget.ts';
import { type CpuLimit, type CpuMsOf, cpuMsOf, limitCpu } from './cpu-limit.ts';
import { createFairQueue } from './fair-queue.ts';
import type { Ask, Refused, Reply } from './messages.ts';

/** A few threads, each of which can be ended at any time. */
export interface Pool {
  /**
   * Compiles a schema, and checks a value by it where there is one: that has been paid for, so it
   * is done even for an app that has had its processor time. Never rejects.
   */
  run(app: string, ask: Ask): Promise<PoolOutcome>;
  /** Ends the threads, whatever they do. They keep no process alive. */
  close(): void;
}

/** What a job came to. */
export type PoolOutcome =
  | { readonly kind: 'compiled' }
  | Refused
  | Fit
  /** It took more time or memory than there is for it; starved, it may have got no processor. */
  | { readonly kind: 'exhausted'; readonly isStarved?: true }
  /** No thread was free in time; or the app has had its processor time, until `waitMs` from now. */
  | { readonly kind: 'crowded'; readonly waitMs?: number };

/** What jobs may take, in the machine's own time: no test's clock holds a thread. */
export interface PoolLimits {
  readonly threadsMax: number;
  /** Of the thread's own processor time, so that nobody pays for the load of the machine. */
  readonly compileMs: number;
  readonly checkMs: number;
  /** By the wall, whatever the machine does: below the time that a call has. */
  readonly wallMs: number;
  /** How long a schema waits for a thread. */
  readonly waitMs: number;
  /** How long an answer does: it has been paid for, and the one before it may take all its time. */
  readonly answerWaitMs: number;
  readonly memoryMb: number;
  /** Ajv and V8 go down into a schema by the stack. */
  readonly stackMb: number;
}

/** The limits of every service. */
export const poolLimits: PoolLimits = {
  threadsMax: 2,
  compileMs: 5_000,
  checkMs: 2_000,
  wallMs: 25_000,
  waitMs: 10_000,
  answerWaitMs: 30_000,
  memoryMb: 256,
  stackMb: 32,
};

/** How long a thread may take to say what it has worked. */
const askedMs = 1_000;

interface Job {
  readonly app: string;
  readonly ask: Ask;
  readonly end: (outcome: PoolOutcome) => void;
  /** By the wall: of the wait, then of the work. */
  wall: Timer;
  /** By the processor, of what it does now. */
  cpu: CpuLimit | undefined;
  /** What its thread had taken when it began. */
  sinceMs: Promise<number | undefined> | undefined;
  /** What it counts as where its thread cannot be asked. */
  mostMs: number;
}

interface Thread {
  readonly worker: Worker;
  /** A thread that ends still counts: what it does may go on for a while. */
  state: 'starting' | 'ready' | 'ending';
  job: Job | undefined;
}

/** A pool without threads: they start when they are needed, and stay. */
export function createPool(parts: {
  readonly log: Log;
  /** What apps may take; none is shared with anybody where it is left out. */
  readonly budget?: CpuBudget;
  readonly limits?: PoolLimits;
  /** How long a thread has worked; a test may say so in its place. */
  readonly cpuMsOf?: CpuMsOf;
}): Pool {
  const { log, limits = poolLimits, budget = createCpuBudget({ clock: systemClock }) } = parts;
  const askCpuMs = parts.cpuMsOf ?? cpuMsOf;
  const threads = new Set<Thread>();
  const queue = createFairQueue<Job>();
  const busyApps = new Set<string>();
  let isClosed = false;
  return {
    run: (app, ask) =>
      new Promise((resolve) => {
        const waitMs = ask.value === undefined ? limits.waitMs : limits.answerWaitMs;
        const wall = systemClock.after(waitMs, () => {
          if (queue.remove(app, job)) resolve({ kind: 'crowded' });
        });
        const nothing = { cpu: undefined, sinceMs: undefined, mostMs: 0 };
        const job: Job = { app, ask, end: resolve, wall, ...nothing };
        queue.add(app, job);
        dispatch();
      }),
    close() {
      isClosed = true;
      for (const { worker } of threads) void worker.terminate();
    },
  };

  /** Gives every free thread a job. One app has one thread at most, so that others have theirs. */
  function dispatch() {
    for (const thread of threads) {
      if (thread.state !== 'ready' || thread.job !== undefined) continue;
      const job = takeAffordable();
      if (job === undefined) return;
      begin(thread, job);
    }
    const isStarting = [...threads].some(({ state }) => state === 'starting');
    if (isStarting || isClosed || threads.size >= limits.threadsMax) return;
    if (queue.isWaiting(busyApps)) start();
  }

  /** The next job that has been paid for, or whose app has processor time left. */
  function takeAffordable(): Job | undefined {
    for (let job = queue.take(busyApps); job !== undefined; job = queue.take(busyApps)) {
      const waitMs = job.ask.value === undefined ? budget.waitMs(job.app) : 0;
      if (waitMs === 0) return job;
      job.wall.cancel();
      job.end({ kind: 'crowded', waitMs });
    }
    return undefined;
  }

  function begin(thread: Thread, job: Job) {
    thread.job = job;
    busyApps.add(job.app);
    job.wall.cancel();
    job.wall = systemClock.after(limits.wallMs, () => exhaust(thread, { isStarved: true }));
    limit(thread, job, limits.compileMs);
    thread.worker.ref();
    thread.worker.postMessage(job.ask);
  }

  function limit(thread: Thread, job: Job, limitMs: number) {
    job.cpu?.cancel();
    const { worker } = thread;
    const onOver = (cpuMs: number) => exhaust(thread, {}, Promise.resolve(cpuMs));
    job.cpu = limitCpu({ worker, limitMs, cpuMsOf: askCpuMs, onOver });
    job.sinceMs ??= job.cpu.sinceMs;
    job.mostMs += limitMs;
  }

  function exhaust(thread: Thread, why: { isStarved?: true }, cpuMs = cpuNow(thread)) {
    thread.state = 'ending';
    end(thread, { kind: 'exhausted', ...why }, cpuMs);
    void thread.worker.terminate();
  }

  function end(thread: Thread, outcome: PoolOutcome, cpuMs?: Promise<number | undefined>) {
    const { job } = thread;
    if (job === undefined) return;
    thread.job = undefined;
    job.wall.cancel();
    job.cpu?.cancel();
    thread.worker.unref();
    job.end(outcome);
    // Its next job waits until it is known what this one took.
    void account(job, cpuMs ?? cpuNow(thread)).then(() => {
      busyApps.delete(job.app);
      dispatch();
    });
  }

  async function account(job: Job, cpuMs: Promise<number | undefined>) {
    let spentMs = job.mostMs;
    const known = Promise.all([job.sinceMs, cpuMs]).then(([since, now]) => {
      if (since !== undefined && now !== undefined) spentMs = now - since;
    });
    await within(systemClock, askedMs, known);
    budget.spend(job.app, spentMs);
  }

  function cpuNow({ worker }: Thread): Promise<number | undefined> {
    return askCpuMs(worker).catch(() => undefined);
  }

  function start() {
    const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
    const { memoryMb, stackMb } = limits;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, stackSizeMb: stackMb };
    const worker = new Worker(new URL(file, import.meta.url), { resourceLimits });
    worker.unref();
    const thread: Thread = { worker, state: 'starting', job: undefined };
    threads.add(thread);
    worker.on('message', (reply: Reply) => hear(thread, reply));
    worker.on('error', (error) => {
      // `exit` follows. The message could hold a part of a schema or of an answer.
      const why = Reflect.get(Object(error), 'code') ?? Reflect.get(Object(error), 'name');
      log.warn({ error: String(why) }, 'a thread that checks schemas has failed; another starts');
    });
    worker.on('exit', () => {
      threads.delete(thread);
      end(thread, { kind: 'exhausted' });
      dispatch();
    });
  }

  function hear(thread: Thread, reply: Reply) {
    const { job } = thread;
    if (thread.state === 'ending') return;
    if (reply.kind === 'ready') thread.state = 'ready';
    else if (reply.kind === 'compiled' && job?.ask.value !== undefined) {
      limit(thread, job, limits.checkMs);
      return;
    } else end(thread, reply);
    dispatch();
  }
}
