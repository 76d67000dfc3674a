import type { ShippedModel } from '../catalog/shipped-model.ts';
import type { Config } from '../domain/config.ts';
import type { EmbeddedSimulator } from '../platforms/simulator.ts';
import type { CommandContext } from './context.ts';

/** The simulator where a platform of the configuration is one: production loads none. */
export async function simulatorFor(
  { clock, ids }: Pick<CommandContext, 'clock' | 'ids'>,
  { platforms }: Pick<Config, 'platforms'>,
): Promise<EmbeddedSimulator | undefined> {
  if (!hasSimulator(platforms)) return undefined;
  const { embedSimulator } = await import('@model-gateway/lab/simulator/embedded');
  return embedSimulator({ clock, random: ids.random });
}

/** Its models alone, for what calls none of them. */
export async function simulatedModels({
  platforms,
}: Pick<Config, 'platforms'>): Promise<readonly ShippedModel[]> {
  if (!hasSimulator(platforms)) return [];
  const { simulatorRows } = await import('@model-gateway/lab/simulator/rows');
  return simulatorRows();
}

function hasSimulator(platforms: Config['platforms']): boolean {
  return platforms.some(({ kind }) => kind === 'simulator');
}
