import type { Job, JobRequest } from '@model-gateway/server/operations/documents';
import { useEffect, useState } from 'preact/hooks';
import { send } from './client.ts';
import { type Failure, failureOf } from './failure.ts';
import { useRead } from './read.ts';

const pollMs = 500;

export interface RunningJob {
  readonly job: Job | undefined;
  readonly failure: Failure | undefined;
  start(request: JobRequest): Promise<void>;
  end(): Promise<void>;
}

/** The URL has the id, so the job continues after the page is left. */
export function useJob(id: string | undefined, setId: (id: string) => void): RunningJob {
  const [failure, setFailure] = useState<Failure>();
  const read = useRead<Job>(id === undefined ? undefined : `/reports/${encodeURIComponent(id)}`);
  const { again } = read;
  const job = read.data;
  const isOpen = job?.state === 'waiting' || job?.state === 'running';
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(again, pollMs);
    return () => clearInterval(timer);
  }, [isOpen, again]);
  const attempt = async (work: () => Promise<void>) => {
    setFailure(undefined);
    await work().catch((error: unknown) => setFailure(failureOf(error)));
  };
  return {
    job,
    failure: failure ?? read.failure,
    start: (request) =>
      attempt(async () => setId((await send<{ id: string }>('POST', '/reports', request)).id)),
    end: () =>
      attempt(async () => {
        await send('DELETE', `/reports/${encodeURIComponent(id ?? '')}`, {});
        again();
      }),
  };
}
