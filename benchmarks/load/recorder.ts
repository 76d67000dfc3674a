import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { readCpuTime, readMachineMicros } from '../measure.ts';
import type { RawAnswer } from './connection.ts';
import { createHistogram } from './histogram.ts';
import type { LoadJob, LoadResult } from './job.ts';
import { expectedText } from './operation.ts';

/** Counts the responses of a job, and measures between `start` and `stop`. */
export interface Recorder {
  start(): void;
  stop(): void;
  sent(): void;
  /** A call got its response, or never will. */
  answered(answer: RawAnswer, sentAtMs: number): void;
  result(): LoadResult;
}

export function createRecorder(job: LoadJob): Recorder {
  const latencies = createHistogram();
  const { expects = expectedText } = job.target;
  let isMeasuring = false;
  let sent = 0;
  let failures = 0;
  let firstFailure: string | undefined;
  let before = snapshot(job.watchedPids);
  let after = before;
  return {
    start() {
      before = snapshot(job.watchedPids);
      isMeasuring = true;
    },
    stop() {
      isMeasuring = false;
      after = snapshot(job.watchedPids);
    },
    sent() {
      sent += 1;
    },
    answered(answer, sentAtMs) {
      if (answer.status === 200 && answer.body.includes(expects)) {
        if (isMeasuring) latencies.add(performance.now() - sentAtMs);
        return;
      }
      failures += 1;
      firstFailure ??= answer.problem ?? `${answer.status} ${answer.body.slice(0, 300)}`;
    },
    result: () => ({
      calls: latencies.count(),
      seconds: (after.atMicros - before.atMicros) / 1e6,
      p50Ms: latencies.quantileMs(0.5),
      p99Ms: latencies.quantileMs(0.99),
      maxMs: latencies.maxMs(),
      cpu: difference(before, after),
      ownCpuMicros: after.ownMicros - before.ownMicros,
      othersCpuMicros: othersIn(after) - othersIn(before),
      ...{ sent, failures, firstFailure },
      startedMicros: before.atMicros,
      endedMicros: after.atMicros,
    }),
  };
}

type Snapshot = ReturnType<typeof snapshot>;

function snapshot(pids: readonly number[]) {
  const own = process.cpuUsage();
  return {
    atMicros: Number(process.hrtime.bigint() / 1_000n),
    ownMicros: own.user + own.system,
    machineMicros: readMachineMicros(),
    cpu: pids.map(readCpuTime),
  };
}

function othersIn({ machineMicros, ownMicros, cpu }: Snapshot): number {
  return cpu.reduce((rest, { totalMicros }) => rest - totalMicros, machineMicros - ownMicros);
}

function difference(before: Snapshot, after: Snapshot): LoadResult['cpu'] {
  return after.cpu.map(({ totalMicros, mainMicros }, index) => ({
    totalMicros: totalMicros - (before.cpu[index]?.totalMicros ?? 0),
    mainMicros: mainMicros - (before.cpu[index]?.mainMicros ?? 0),
  }));
}
