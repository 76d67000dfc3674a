import type { ShippedModel } from '../../catalog/shipped-model.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import type { EmbeddedSimulator } from '../../platforms/kinds/simulator.ts';
import type { CommandContext } from './context.ts';

/** Production never loads the simulator. */
export async function simulatorFor(
  { clock, ids }: Pick<CommandContext, 'clock' | 'ids'>,
  { platforms }: { readonly platforms: readonly PlatformFacts[] },
): Promise<EmbeddedSimulator | undefined> {
  if (!hasSimulator(platforms)) return undefined;
  const { embedSimulator } = await import('@model-gateway/lab/simulator/embedded');
  return embedSimulator({ clock, random: ids.random });
}

/** For work that calls no models. */
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
