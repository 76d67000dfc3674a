import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Config } from '../../domain/config.ts';
import type { CommandContext, CommonOptions } from '../process/context.ts';
import type { SentConfig } from '../process/sent-config.ts';
import { receivedConfig } from '../process/sent-config.ts';
import { UsageError } from '../process/usage-error.ts';

export interface ConfigRequest {
  readonly environment: CommandContext['environment'];
  readonly options: CommonOptions;
}

export type ConfigReply = { readonly sent: SentConfig } | { readonly problems: string };

/**
 * In a thread, a large file does not block callers. Throws a UsageError with a line for each
 * problem.
 */
export async function readConfigInThread(
  { environment }: Pick<CommandContext, 'environment'>,
  { config }: CommonOptions,
): Promise<Config> {
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
  const workerData: ConfigRequest = { environment: { ...environment }, options: { config } };
  const worker = new Worker(new URL(file, import.meta.url), { workerData });
  // `once` rejects with the error of a failed thread.
  const reply: ConfigReply = (await once(worker, 'message'))[0];
  if ('problems' in reply) throw new UsageError(reply.problems);
  return receivedConfig(reply.sent);
}
