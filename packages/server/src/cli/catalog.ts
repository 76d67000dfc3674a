import type { Catalog } from '../catalog/catalog.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { shippedModels } from '../catalog/shipped.ts';
import type { Config } from '../domain/config.ts';
import type { CommandContext } from './context.ts';

/** The catalog that a service with this configuration has. */
export function catalogOf({ clock }: CommandContext, config: Config): Catalog {
  return createCatalog({ ...config, shipped: shippedModels(), clock });
}
