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

/**
 * Platforms by name, closed after `work` in any case. Throws a UsageError if one cannot be created.
 */
export async function withPlatforms<T>(
  context: CommandContext,
  config: Pick<Config, 'file' | 'platforms'>,
  work: (platforms: ReadonlyMap<string, Platform>) => Promise<T>,
): Promise<T> {
  // Loaded late: platforms take as long to load as the rest of a command.
  const { createPlatforms } = await import('../../platforms/create-platforms.ts');
  // A running service has its own simulator. This one has the same ids, because they are derived
  // from names. The service creates its own projects when it finds the bindings.
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

/** Throws a UsageError for an invalid catalog. */
export async function catalogOf(
  context: CommandContext,
  config: Parts['catalog'],
): Promise<Catalog> {
  const shipped = [...shippedModels(), ...(await simulatedModels(config))];
  const { catalog, problems } = checkCatalog(config, { shipped, clock: context.clock });
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return catalog;
}
