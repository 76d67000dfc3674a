import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import { aliasProblems } from './aliases.ts';
import type { Catalog } from './catalog.ts';
import { createCatalog, priceProblems } from './create-catalog.ts';
import type { ShippedModel } from './shipped-model.ts';

export function checkCatalog(
  config: Pick<Config, 'models' | 'aliases' | 'platforms' | 'defaultPlatform'>,
  { shipped, clock }: { readonly shipped: readonly ShippedModel[]; readonly clock: Clock },
): { readonly catalog: Catalog; readonly problems: readonly string[] } {
  const catalog = createCatalog({ ...config, shipped, clock });
  const problems = [
    ...priceProblems({ ...config, shipped }),
    ...aliasProblems(config.aliases, { shipped, catalog }),
  ];
  return { catalog, problems };
}
