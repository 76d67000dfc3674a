import type { PlatformConfig } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import type { Log } from '../lib/log.ts';
import { routeNameOf } from '../platforms/route-name.ts';

/** An upgrade may start to use the environment's proxies, so the log shows each route. */
export function logRoutes(log: Log, platforms: readonly PlatformConfig[]): void {
  for (const config of platforms) {
    const found = routeNameOf(config);
    if (found === undefined) logUnknown(log, config);
    else log.info({ platform: config.name, ...found }, 'platform route');
  }
}

/** A package chooses its host, so its route is unknown until the first call. */
function logUnknown(log: Log, { name, kind, proxies, proxy }: PlatformConfig) {
  if (!factsOf(kind).isPackage) return;
  const named = proxy ?? proxies?.https ?? 'none';
  const found = named === 'none' ? { route: 'direct' } : { route: named.label, from: named.from };
  log.info(
    { platform: name, ...found },
    'platform route; NO_PROXY applies to the host of its package',
  );
}
