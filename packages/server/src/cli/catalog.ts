import type { Catalog } from '../catalog/catalog.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { shippedModels } from '../catalog/shipped.ts';
import type { Config } from '../domain/config.ts';
import type { CommandContext } from './context.ts';
import { simulatorFor } from './simulated.ts';

/** The catalog that a service with this configuration has. */
export async function catalogOf(context: CommandContext, config: Config): Promise<Catalog> {
  const simulator = await simulatorFor(context, config);
  const shipped = [...shippedModels(), ...(simulator?.models ?? [])];
  return createCatalog({ ...config, shipped, clock: context.clock });
}
