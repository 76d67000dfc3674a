import { dirname } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { checkCatalog } from '../catalog/check-catalog.ts';
import { createLiveCatalog } from '../catalog/live-catalog.ts';
import { shippedModels } from '../catalog/models/shipped.ts';
import type { Config } from '../domain/config.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import { createShares } from '../ingress/limits/shares.ts';
import { createCount } from '../lib/count.ts';
import type { Log } from '../lib/log.ts';
import { createPlatforms } from '../platforms/create-platforms.ts';
import { createUnsolicited, type Unsolicited } from '../platforms/http/unsolicited.ts';
import type { EmbeddedSimulator } from '../platforms/kinds/simulator.ts';
import type { Platform } from '../platforms/model/port.ts';
import { routeNameOf } from '../platforms/route-name.ts';
import { CompositionError } from './composition-error.ts';
import type { Instance } from './instance.ts';

export interface Models {
  readonly catalog: Catalog;
  /** Throws a CompositionError. */
  readonly prepare: (next: Config) => PreparedCatalog;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly unsolicited: Unsolicited;
}

export interface PreparedCatalog {
  readonly catalog: Catalog;
  putInForce(): void;
}

/**
 * Makes no request. Reserves some connections for apps without a project. Throws a
 * CompositionError.
 */
export function createModels(
  { config, clock, log, thread }: Instance,
  simulator: EmbeddedSimulator | undefined,
  enabledApps: () => number,
): Models {
  const shipped = [...shippedModels(), ...(simulator?.models ?? [])];
  const live = createLiveCatalog(catalogOf(config, { shipped, clock }));
  const unsolicited = createUnsolicited({ platforms: config.platforms, clock, log });
  const made = createPlatforms({
    configs: config.platforms,
    clock,
    logPlatformErrors: config.logPlatformErrors,
    onUnsolicited: unsolicited.record,
    openShares: (max) => createShares({ max, enabledApps, clock, counted: createCount() }),
    folders: [dirname(config.file), process.cwd()],
    simulator,
  });
  if ('problems' in made) throw new CompositionError(made.problems);
  if (thread === 1) logRoutes(log, config.platforms);
  return { catalog: live, prepare, platforms: made.platforms, unsolicited };

  function prepare(next: Config) {
    const catalog = catalogOf(next, { shipped, clock });
    return { catalog, putInForce: () => live.replace(catalog) };
  }
}

function catalogOf(config: Config, parts: Parameters<typeof checkCatalog>[1]): Catalog {
  const { catalog, problems } = checkCatalog(config, parts);
  if (problems.length > 0) throw new CompositionError(problems);
  return catalog;
}

/** Each platform rejects calls until its billing is verified, in bounded time. */
export async function verifyBilling({ platforms, catalog }: Models, { log }: Instance) {
  const rows = Map.groupBy(catalog.list(), ({ platform }) => platform);
  const rounds = [...platforms.values()].map(({ name, verifyBilling }) =>
    verifyBilling?.(rows.get(name) ?? [], log),
  );
  await Promise.all(rounds);
}

export function simulatorsOf({ platforms }: Models): readonly Platform[] {
  return [...platforms.values()].filter(({ kind }) => kind === 'simulator');
}

/** An upgrade may start to use the environment's proxies, so the log shows each route. */
function logRoutes(log: Log, platforms: readonly PlatformConfig[]): void {
  for (const config of platforms) {
    const routeName = routeNameOf(config);
    if (routeName === undefined) logUnknown(log, config);
    else log.info({ platform: config.name, ...routeName }, 'platform route');
  }
}

/** A package chooses its host, so the route is unknown until the first call. */
function logUnknown(log: Log, { name, kind, proxies, proxy }: PlatformConfig) {
  if (!factsOf(kind).isPackage) return;
  const named = proxy ?? proxies?.https ?? 'none';
  const routeName =
    named === 'none' ? { route: 'direct' } : { route: named.label, from: named.from };
  log.info(
    { platform: name, ...routeName },
    'platform route; NO_PROXY applies to the host of its package',
  );
}
