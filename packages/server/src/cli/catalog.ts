import type { Catalog } from '../catalog/catalog.ts';
import { checkCatalog } from '../catalog/check-catalog.ts';
import { shippedModels } from '../catalog/models/shipped.ts';
import type { Parts } from '../config/parts.ts';
import { type CommandContext, UsageError } from './context.ts';
import { simulatedModels } from './simulated.ts';

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
