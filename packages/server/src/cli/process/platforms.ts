import { dirname } from 'node:path';
import process from 'node:process';
import type { Config } from '../../domain/config.ts';
import type { Platform } from '../../platforms/model/port.ts';
import { type CommandContext, UsageError } from './context.ts';
import { simulatorFor } from './simulated.ts';

/** By name; closes them whatever the work does. Throws a UsageError for one that cannot be made. */
export async function withPlatforms<T>(
  context: CommandContext,
  config: Pick<Config, 'file' | 'platforms'>,
  work: (platforms: ReadonlyMap<string, Platform>) => Promise<T>,
): Promise<T> {
  // Only now: platforms are as much to load as all the rest of a command.
  const { createPlatforms } = await import('../../platforms/create-platforms.ts');
  // The simulator of a running service is in that process: this one has the same ids, since they
  // are derived from names, and the service makes its own projects when it sees the bindings.
  const made = createPlatforms({
    configs: config.platforms,
    folders: [dirname(config.file), process.cwd()],
    clock: context.clock,
    simulator: await simulatorFor(context, config),
  });
  if ('problems' in made) throw new UsageError(made.problems.join('\n'));
  try {
    return await work(made.platforms);
  } finally {
    await Promise.all([...made.platforms.values()].map((platform) => platform.close()));
  }
}
