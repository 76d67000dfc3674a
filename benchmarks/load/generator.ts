import { once } from 'node:events';
import type { Scope } from '../../harness/scope.ts';
import { startCommand } from '../../harness/server.ts';
import { scriptPath } from '../processes/script-path.ts';
import type { LoadJob, LoadReply, LoadResult } from './job.ts';

export interface Generator {
  /** Runs one job at a time. */
  run(job: LoadJob): Promise<LoadResult>;
}

/** The time limit of the last responses after a job's own time. */
const graceMs = 40_000;

export function startGenerator(scope: Scope): Generator {
  const { child, ended } = startCommand(scope, { argv: [scriptPath('load.ts')] });
  const noReply = ended.then((): LoadReply[] => []);
  return {
    async run(job) {
      const signal = AbortSignal.timeout(job.warmUpMs + job.measureMs + graceMs);
      const replied = once(child, 'message', { signal });
      child.send(job);
      const [reply]: LoadReply[] = await Promise.race([replied, noReply]);
      if (reply?.kind === 'done') return reply.result;
      throw new Error(`the load generator: ${reply?.error ?? 'its process has ended'}`);
    },
  };
}
