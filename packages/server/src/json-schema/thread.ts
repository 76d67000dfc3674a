import { Worker } from 'node:worker_threads';
import { systemClock, type Timer } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import { isRecord } from '../lib/json-value.ts';
import type { Log } from '../lib/log.ts';
import { type CpuLimit, type CpuMsOf, limitCpu } from './cpu-limit.ts';
import type { CheckRequest, Reply } from './messages.ts';
import type { PoolLimits, PoolOutcome } from './pool-limits.ts';

const cpuQueryMs = 1_000;

interface Work {
  readonly request: CheckRequest;
  readonly onEnd: (outcome: PoolOutcome, spentMs: Promise<number>) => void;
  readonly wall: Timer;
  cpu: CpuLimit | undefined;
  sinceMs: Promise<number | undefined> | undefined;
  maxMs: number;
}

export interface ThreadParts {
  readonly log: Log;
  readonly limits: PoolLimits;
  readonly cpuMsOf: CpuMsOf;
  readonly onReply: () => void;
  readonly onExit: () => void;
}

/** Runs one job at a time. */
export class SchemaThread {
  readonly #parts: ThreadParts;
  readonly #worker: Worker;
  /** An ending thread accepts no work; its last job might still run. */
  #state: 'starting' | 'ready' | 'ending' = 'starting';
  #work: Work | undefined;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
    const { memoryMb, stackMb } = parts.limits;
    const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, stackSizeMb: stackMb };
    this.#worker = new Worker(new URL(file, import.meta.url), { resourceLimits });
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#onMessage(reply));
    this.#worker.on('error', (error) => this.#onError(error));
    this.#worker.on('exit', () => {
      this.#end({ kind: 'exhausted' });
      parts.onExit();
    });
  }

  isStarting(): boolean {
    return this.#state === 'starting';
  }

  isFree(): boolean {
    return this.#state === 'ready' && this.#work === undefined;
  }

  /** Call only while the thread is free. */
  run(request: CheckRequest, onEnd: Work['onEnd']) {
    const { wallMs, compileMs } = this.#parts.limits;
    const wall = systemClock.after(wallMs, () => this.#exhaust({ isStarved: true }));
    const work: Work = { request, onEnd, wall, cpu: undefined, sinceMs: undefined, maxMs: 0 };
    this.#work = work;
    this.#limit(work, compileMs);
    this.#worker.ref();
    this.#worker.postMessage(request);
  }

  close() {
    void this.#worker.terminate();
  }

  #limit(work: Work, limitMs: number) {
    work.cpu?.cancel();
    const onOver = (cpuMs: number) => this.#exhaust({}, Promise.resolve(cpuMs));
    const { cpuMsOf } = this.#parts;
    work.cpu = limitCpu({ worker: this.#worker, limitMs, cpuMsOf, onOver });
    work.sinceMs ??= work.cpu.sinceMs;
    work.maxMs += limitMs;
  }

  #exhaust(why: { isStarved?: true }, cpuMs = this.#cpuNow()) {
    this.#state = 'ending';
    this.#end({ kind: 'exhausted', ...why }, cpuMs);
    this.close();
  }

  #end(outcome: PoolOutcome, cpuMs?: Promise<number | undefined>) {
    const work = this.#work;
    if (work === undefined) return;
    this.#work = undefined;
    work.wall.cancel();
    work.cpu?.cancel();
    this.#worker.unref();
    work.onEnd(outcome, spentBy(work, cpuMs ?? this.#cpuNow()));
  }

  #cpuNow(): Promise<number | undefined> {
    return this.#parts.cpuMsOf(this.#worker).catch(() => undefined);
  }

  #onMessage(reply: Reply) {
    if (this.#state === 'ending') return;
    if (reply.kind === 'ready') this.#state = 'ready';
    else if (reply.kind === 'compiled' && this.#work?.request.value !== undefined) {
      this.#limit(this.#work, this.#parts.limits.checkMs);
      return;
    } else this.#end(reply);
    this.#parts.onReply();
  }

  #onError(error: unknown) {
    // `exit` follows. The message could contain a part of a schema or a response.
    const why = isRecord(error) ? (error.code ?? error.name) : undefined;
    const text = 'schema validation thread failed; starting a new one';
    this.#parts.log.warn({ error: String(why) }, text);
  }
}

async function spentBy(work: Work, cpuMs: Promise<number | undefined>): Promise<number> {
  let spentMs = work.maxMs;
  const known = Promise.all([work.sinceMs, cpuMs]).then(([since, now]) => {
    if (since !== undefined && now !== undefined) spentMs = now - since;
  });
  await within(systemClock, cpuQueryMs, known);
  return spentMs;
}
