import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../domain/config.ts';

/** The file's key for each part; undefined: a reload may change it. */
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

/** Keys that differ and that a running service cannot change. */
export function fixedDifferences(current: Config, next: Config): readonly string[] {
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
