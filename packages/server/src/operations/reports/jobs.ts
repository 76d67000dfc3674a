import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { JobKind, JobResult, Jobs, ProgressReporter } from '../context/parts.ts';
import type { Job as JobState } from '../documents/jobs.ts';

interface Job {
  readonly id: string;
  readonly kind: JobKind;
  readonly owner: string;
  readonly work: (reportProgress: ProgressReporter) => Promise<JobResult>;
  state: JobState['state'];
  percent: number;
  text: string;
  output: JobResult;
  error: string | null;
  startedMs: number | undefined;
  endedMs: number | undefined;
}

const waitingMax = 5;
const retentionMs = 86_400_000;
/** Limits of stored results and of their total characters: older results are removed first. */
const retainedMax = 50;
const charactersMax = 64 * 1024 * 1024;

interface JobParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'next'>;
  /** Returns the message for the job's error; undefined for a bug, which shows nothing. */
  readonly wordsOf: (error: unknown) => string | undefined;
}

export function createJobs(parts: JobParts): Jobs {
  const { clock, ids } = parts;
  const jobs = new Map<string, Job>();
  const runNext = createRunner(jobs, parts);
  return {
    start(owner, kind, work) {
      removeExpired(jobs, clock.now());
      if (waiting(jobs).length >= waitingMax) return undefined;
      const id = ids.next('job');
      const job: Job = {
        ...{ id, kind, owner, work, state: 'waiting', percent: 0, text: 'waiting in the queue' },
        ...{ output: {}, error: null, startedMs: undefined, endedMs: undefined },
      };
      jobs.set(id, job);
      void runNext();
      return stateOf(job, jobs);
    },
    find(owner, id) {
      const job = ownJob(owner, id);
      return job && stateOf(job, jobs);
    },
    fileOf: (owner, id) => ownJob(owner, id)?.output.file,
    end(owner, id) {
      const job = ownJob(owner, id);
      if (job === undefined) return false;
      job.state = 'ended';
      return jobs.delete(id);
    },
  };

  function ownJob(owner: string, id: string): Job | undefined {
    removeExpired(jobs, clock.now());
    const job = jobs.get(id);
    return job?.owner === owner ? job : undefined;
  }
}

/** One job at a time; never rejects. */
function createRunner(jobs: ReadonlyMap<string, Job>, { clock, wordsOf }: JobParts) {
  let isRunning = false;
  return async function runNext(): Promise<void> {
    const [job] = waiting(jobs);
    if (isRunning || job === undefined) return;
    isRunning = true;
    job.state = 'running';
    job.startedMs = clock.now();
    try {
      const output = await job.work((text, percent) => setProgress(job, text, percent));
      settle(job, { state: 'done', text: 'done', percent: 100, output, endedMs: clock.now() });
    } catch (error) {
      const words = wordsOf(error) ?? 'internal error';
      settle(job, { state: 'failed', text: 'failed', error: words, endedMs: clock.now() });
    } finally {
      isRunning = false;
      void runNext();
    }
  };
}

function waiting(jobs: ReadonlyMap<string, Job>): readonly Job[] {
  return [...jobs.values()].filter(({ state }) => state === 'waiting');
}

function settle(job: Job, end: Partial<Job>) {
  if (job.state !== 'ended') Object.assign(job, end);
}

function setProgress(job: Job, text: string, percent = job.percent) {
  if (job.state === 'ended') throw new Error('the job was ended');
  job.text = text;
  job.percent = Math.max(0, Math.min(99, Math.floor(percent)));
}

/** Running jobs stay. */
function removeExpired(jobs: Map<string, Job>, nowMs: number) {
  const over = [...jobs.values()].filter(({ endedMs }) => endedMs !== undefined).reverse();
  let characters = 0;
  for (const [index, { id, endedMs = 0, output }] of over.entries()) {
    characters += output.file?.text.length ?? 0;
    const isOld = nowMs - endedMs >= retentionMs;
    if (isOld || index >= retainedMax || characters > charactersMax) jobs.delete(id);
  }
}

function stateOf(job: Job, jobs: ReadonlyMap<string, Job>): JobState {
  const { id, kind, state, percent, text, output, error } = job;
  const position = waiting(jobs).indexOf(job) + 1;
  return {
    ...{ id, kind, state, percent, text, error },
    position: position === 0 ? null : position,
    ...(output.result === undefined ? {} : { result: output.result }),
    fileName: output.file?.name ?? null,
    ...{ startedAt: timeText(job.startedMs), endedAt: timeText(job.endedMs) },
  };
}

function timeText(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : new Date(epochMs).toISOString();
}
