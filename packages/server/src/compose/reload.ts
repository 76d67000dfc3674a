import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../domain/config.ts';
import type { MissingAppsPolicy } from '../operations/apps/file-plan.ts';
import { fileActor } from '../operations/config/declared-apps.ts';
import { AdminError } from '../operations/context/admin-error.ts';
import type { AdminContext } from '../operations/context/context.ts';
import { putPricesInForce } from '../operations/models/price-book.ts';
import { reportUnpriced } from '../operations/models/unpriced-report.ts';
import type { Registry } from '../registry/registry.ts';
import { shortHash } from '../store/queries/instances.ts';
import type { Instance } from './instance.ts';
import { logPrices, logTiers } from './log-models.ts';
import type { Models } from './models.ts';
import { servicesOf } from './parts/other-threads.ts';
import { readyStore } from './ready-store.ts';

export interface ReloadParts {
  readonly admin: AdminContext;
  readonly registry: Pick<Registry, 'refresh'>;
  readonly models: Pick<Models, 'prepare'>;
}

/**
 * Applies apps, budgets, projects, prices and rate limits during calls. Running calls keep their
 * prices. Throws an AdminError or a CompositionError, with nothing changed, for a configuration
 * that startup would reject or a key that only startup can change. ADR 0070 and 0094.
 */
export async function reloadConfig(
  { live, log, instanceId, otherThreads }: Instance,
  { admin, registry, models }: ReloadParts,
  next: Config,
  missing: MissingAppsPolicy,
): Promise<void> {
  const fixed = fixedDifferences(live.config, next);
  if (fixed.length > 0) throw new AdminError(fixedSentence(fixed));
  const { catalog, putInForce } = models.prepare(next);
  const own = servicesOf({ instanceId, otherThreads });
  const ready = await readyStore(admin, next, log, missing, own);
  // The store comes first: a call's record names the version of its price.
  logPrices(log, await putPricesInForce({ ...admin, actor: fileActor(next) }, catalog));
  putInForce();
  live.replace(next);
  ready.logCreated();
  const facts = { file: next.file, config: shortHash(next.hash) };
  log.info(facts, 'configuration reloaded');
  logTiers(log, catalog);
  // Immediately, not at the next check: the sender of the signal may call at once.
  await registry.refresh();
  const { store, clock, company } = admin;
  await reportUnpriced({ context: { store, clock, company }, config: next, catalog, log });
}

function fixedSentence(keys: readonly string[]): string {
  return `these keys can change only at startup: ${keys.join(', ')}; restart the replicas one by one, or revert the change`;
}

/** The file's key for each part; undefined where a reload may change it. */
const keyOf: { readonly [K in keyof Required<Config>]: string | undefined } = {
  file: undefined,
  hash: undefined,
  company: 'company',
  adminEmail: 'adminEmail',
  publicUrl: undefined,
  listen: 'listen',
  admin: 'admin',
  console: 'console',
  trustedProxies: 'trustedProxies',
  store: 'store',
  keyRing: 'MODEL_GATEWAY_KEYS',
  usage: 'usage',
  audit: 'audit',
  tracing: 'tracing',
  threads: 'threads',
  limits: 'limits',
  streaming: 'streaming',
  ingress: 'ingress',
  retry: 'retry',
  platforms: 'platforms',
  defaultPlatform: 'defaultPlatform',
  plans: undefined,
  unpriced: 'unpriced',
  logPlatformErrors: 'logPlatformErrors',
  models: 'models',
  aliases: 'models',
  apps: undefined,
  budgets: undefined,
  notify: 'notify',
};

/** Different keys that a running service cannot change. */
function fixedDifferences(current: Config, next: Config): readonly string[] {
  const differing = Object.entries({ ...keyOf }).flatMap(([part, key]) => {
    if (key === undefined) return [];
    const isSame = isDeepStrictEqual(partOf(current, part), partOf(next, part));
    return isSame ? [] : [nameIn(current, next, key)];
  });
  return [...new Set(differing)];
}

/** Omits prices of models and platforms, and the key ring's secrets. */
function partOf(config: Config, part: string): unknown {
  if (part === 'keyRing') return config.keyRing?.keys();
  if (part === 'models') return config.models.map(({ prices: _prices, ...model }) => model);
  if (part === 'platforms')
    return config.platforms.map(({ priceFactor: _factor, ...platform }) => platform);
  return Reflect.get(config, part);
}

function nameIn(current: Config, next: Config, key: string): string {
  if (key !== 'limits' || isDeepStrictEqual(current.limits.streams, next.limits.streams))
    return key;
  const { streams: _before, ...before } = current.limits;
  const { streams: _after, ...after } = next.limits;
  return isDeepStrictEqual(before, after) ? 'streams' : 'limits, streams';
}
