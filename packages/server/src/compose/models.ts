import { dirname } from 'node:path';
import { aliasProblems } from '../catalog/aliases.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { createCatalog, priceProblems } from '../catalog/create-catalog.ts';
import { shippedModels } from '../catalog/shipped.ts';
import { createPlatforms } from '../platforms/create-platforms.ts';
import type { Platform } from '../platforms/port.ts';
import type { EmbeddedSimulator } from '../platforms/simulator.ts';
import { createUnsolicited, type Unsolicited } from '../platforms/unsolicited.ts';
import { CompositionError } from './composition-error.ts';
import type { Instance } from './instance.ts';

/** The models that can be called, and the platforms that have them. */
export interface Models {
  readonly catalog: Catalog;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly unsolicited: Unsolicited;
}

/** Makes both, and makes no request. Throws a CompositionError. */
export function createModels(
  { config, clock, log }: Instance,
  simulator: EmbeddedSimulator | undefined,
): Models {
  const shipped = [...shippedModels(), ...(simulator?.models ?? [])];
  const catalog = createCatalog({ ...config, shipped, clock });
  const problems = [
    ...priceProblems({ ...config, shipped }),
    ...aliasProblems(config.aliases, { shipped, catalog }),
  ];
  if (problems.length > 0) throw new CompositionError(problems);
  const unsolicited = createUnsolicited({ platforms: config.platforms, clock, log });
  const made = createPlatforms({
    configs: config.platforms,
    clock,
    logPlatformErrors: config.logPlatformErrors,
    onUnsolicited: unsolicited.record,
    folders: [dirname(config.file), process.cwd()],
    simulator,
  });
  if ('problems' in made) throw new CompositionError(made.problems);
  return { catalog, platforms: made.platforms, unsolicited };
}

/** Each verifies its billing in bounded time, and refuses calls until it has. */
export async function verifyBilling({ platforms, catalog }: Models, { log }: Instance) {
  const rows = Map.groupBy(catalog.list(), ({ platform }) => platform);
  const rounds = [...platforms.values()].map(({ name, verifyBilling }) =>
    verifyBilling?.(rows.get(name) ?? [], log),
  );
  await Promise.all(rounds);
}

/** The platforms whose projects this process makes itself. */
export function simulatorsOf({ platforms }: Models): readonly Platform[] {
  return [...platforms.values()].filter(({ kind }) => kind === 'simulator');
}
