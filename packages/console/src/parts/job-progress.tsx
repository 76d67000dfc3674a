import type { JobRequest } from '@model-gateway/server/operations/documents';
import type { RunningJob } from '../data/jobs.ts';
import { Alert } from './states.tsx';

interface ProgressProps {
  readonly running: RunningJob;
  readonly label: string;
  readonly request: JobRequest;
}

export function JobProgress({ running, label, request }: ProgressProps) {
  const { job, failure, start, end } = running;
  const isOpen = job?.state === 'waiting' || job?.state === 'running';
  return (
    <div class="job">
      {isOpen ? (
        <>
          <label>
            {job.state === 'waiting' ? `Queued at position ${job.position ?? 1}` : job.text}{' '}
            <progress max={100} value={job.percent} />
          </label>
          <span>{job.percent}%</span>
          <button type="button" class="small" onClick={() => void end()}>
            Stop
          </button>
        </>
      ) : (
        <button type="button" onClick={() => void start(request)}>
          {label}
        </button>
      )}
      {job?.state === 'failed' && <Alert tone="bad">{job.error ?? job.text}</Alert>}
      {failure !== undefined && <Alert tone="bad">{failure.message}</Alert>}
    </div>
  );
}
