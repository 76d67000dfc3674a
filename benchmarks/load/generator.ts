import { once } from 'node:events';
import { scriptPath, spawnNode, stopChild } from '../processes/child.ts';
import type { Scope } from '../processes/scope.ts';
import type { LoadJob, LoadReply, LoadResult } from './job.ts';

/** The load generator's process. */
export interface Generator {
  /** Runs one job; one at a time. */
  run(job: LoadJob): Promise<LoadResult>;
}

/** After a job's own time, its last answers may take so long. */
const graceMs = 40_000;

/** Starts the load generator. */
export function startGenerator(scope: Scope): Generator {
  const child = spawnNode({ argv: [scriptPath('load.ts')] });
  scope.add(() => stopChild(child));
  const ended = once(child, 'exit').then(() => []);
  return {
    async run(job) {
      const signal = AbortSignal.timeout(job.warmUpMs + job.measureMs + graceMs);
      const replied = once(child, 'message', { signal });
      child.send(job);
      const [reply]: LoadReply[] = await Promise.race([replied, ended]);
      if (reply?.kind === 'done') return reply.result;
      throw new Error(`the load generator: ${reply?.error ?? 'its process has ended'}`);
    },
  };
}
