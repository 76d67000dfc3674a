import type { JobAsked } from '@model-gateway/server/operations/documents';
import type { RunningJob } from '../data/jobs.ts';

interface ProgressProps {
  readonly running: RunningJob;
  readonly label: string;
  readonly asked: JobAsked;
}

export function JobProgress({ running, label, asked }: ProgressProps) {
  const { job, failure, start, end } = running;
  const isOpen = job?.state === 'waiting' || job?.state === 'running';
  return (
    <div class="job">
      {isOpen ? (
        <>
          <label>
            {job.state === 'waiting' ? `Waiting, place ${job.place ?? 1}` : job.text}{' '}
            <progress max={100} value={job.percent} />
          </label>{' '}
          {job.percent} %{' '}
          <button type="button" onClick={() => void end()}>
            Stop it
          </button>
        </>
      ) : (
        <button type="button" onClick={() => void start(asked)}>
          {label}
        </button>
      )}
      {job?.state === 'failed' && <p role="alert">{job.error ?? job.text}</p>}
      {failure !== undefined && <p role="alert">{failure.message}</p>}
    </div>
  );
}
