import type { Config } from '../domain/config.ts';
import type { EmbeddedSimulator } from '../platforms/simulator.ts';
import type { CommandContext } from './context.ts';

/** The simulator where a platform of the configuration is one: production loads none. */
export async function simulatorFor(
  { clock, ids }: CommandContext,
  { platforms }: Pick<Config, 'platforms'>,
): Promise<EmbeddedSimulator | undefined> {
  if (!platforms.some(({ kind }) => kind === 'simulator')) return undefined;
  const { embedSimulator } = await import('@model-gateway/lab/simulator/embedded');
  return embedSimulator({ clock, random: ids.random });
}
