import { dirname } from 'node:path';
import process from 'node:process';
import type { Catalog } from '../../catalog/catalog.ts';
import { checkCatalog } from '../../catalog/check-catalog.ts';
import { shippedModels } from '../../catalog/models/shipped.ts';
import type { ShippedModel } from '../../catalog/shipped-model.ts';
import type { Parts } from '../../config/parts.ts';
import type { Config } from '../../domain/config.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import type { EmbeddedSimulator } from '../../platforms/kinds/simulator.ts';
import type { Platform } from '../../platforms/model/port.ts';
import { type CommandContext, UsageError } from './context.ts';

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
  const created = createPlatforms({
    configs: config.platforms,
    folders: [dirname(config.file), process.cwd()],
    clock: context.clock,
    simulator: await simulatorFor(context, config),
  });
  if ('problems' in created) throw new UsageError(created.problems.join('\n'));
  try {
    return await work(created.platforms);
  } finally {
    await Promise.all([...created.platforms.values()].map((platform) => platform.close()));
  }
}

/** Production never loads the simulator. */
export async function simulatorFor(
  { clock, ids }: Pick<CommandContext, 'clock' | 'ids'>,
  { platforms }: { readonly platforms: readonly PlatformFacts[] },
): Promise<EmbeddedSimulator | undefined> {
  if (!hasSimulator(platforms)) return undefined;
  const { embedSimulator } = await import('@model-gateway/lab/simulator/embedded');
  return embedSimulator({ clock, random: ids.random });
}

export async function simulatedModels({
  platforms,
}: {
  readonly platforms: readonly PlatformFacts[];
}): Promise<readonly ShippedModel[]> {
  if (!hasSimulator(platforms)) return [];
  const { simulatorRows } = await import('@model-gateway/lab/simulator/rows');
  return simulatorRows();
}

function hasSimulator(platforms: readonly PlatformFacts[]): boolean {
  return platforms.some(({ kind }) => kind === 'simulator');
}

/** Throws a UsageError for an invalid one. */
export async function catalogOf(
  context: CommandContext,
  config: Parts['catalog'],
): Promise<Catalog> {
  const shipped = [...shippedModels(), ...(await simulatedModels(config))];
  const { catalog, problems } = checkCatalog(config, { shipped, clock: context.clock });
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return catalog;
}
