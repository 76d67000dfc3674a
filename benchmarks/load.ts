import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { runClosedLoop } from './load/closed-loop.ts';
import type { LoadJob, LoadReply, LoadResult } from './load/job.ts';
import { runOpenLoop } from './load/open-loop.ts';
import { createRecorder } from './load/recorder.ts';
import { createRequests } from './load/request.ts';

// The load generator, one process for the whole run: every side is called by the same warm code.
// Each message is a job, and each job has one result.

process.on('message', (job: LoadJob) => {
  void run(job)
    .then((result): LoadReply => ({ kind: 'done', result }))
    .catch((error: unknown): LoadReply => ({ kind: 'failed', error: String(error) }))
    .then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());

async function run(job: LoadJob): Promise<LoadResult> {
  const { url } = job.target;
  const recorder = createRecorder(job);
  let isDone = false;
  const parts = { url, next: createRequests(job), recorder, isOver: () => isDone };
  const calling =
    job.pace.kind === 'closed'
      ? runClosedLoop({ ...parts, ...job.pace })
      : runOpenLoop({ ...parts, ...job.pace });
  await Promise.all([calling, measure()]);
  return recorder.result();

  async function measure() {
    await sleep(job.warmUpMs);
    recorder.start();
    await sleep(job.measureMs);
    recorder.stop();
    isDone = true;
  }
}
