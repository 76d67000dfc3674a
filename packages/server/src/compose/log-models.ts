import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../domain/config.ts';
import { unboundSentence } from '../domain/unbound-app.ts';
import type { Log } from '../lib/log.ts';
import type { PriceDifference } from '../operations/documents/config.ts';
import { modelsWithoutTier } from '../operations/models/models.ts';
import { unboundApps } from '../operations/projects/unbound-apps.ts';
import type { Registry } from '../registry/registry.ts';

const namedMax = 10;

/** Calls of these apps to that platform are rejected. */
export function logUnbound(
  log: Log,
  parts: {
    readonly config: Pick<Config, 'platforms'>;
    readonly catalog: Catalog;
    readonly registry: Pick<Registry, 'apps'>;
  },
): void {
  const { config, catalog, registry } = parts;
  const enabled = registry.apps().filter(({ isEnabled }) => isEnabled);
  const apps = enabled.map(({ name, models, projectIds, sharedProjects }) => {
    return { name, models, platforms: [...projectIds.keys(), ...sharedProjects.keys()] };
  });
  const unbound = unboundApps(apps, { catalog, platforms: config.platforms });
  for (const each of unbound.slice(0, namedMax)) log.warn({ ...each }, unboundSentence(each));
  const more = unbound.length - namedMax;
  if (more <= 0) return;
  log.warn({ more }, 'more apps have no project; list them with "model-gateway platforms check"');
}

/** The most prices that a log line names: a new gateway version may change every price. */
const pricesMax = 50;

export function logPrices(log: Log, changed: readonly PriceDifference[]): void {
  if (changed.length === 0) return;
  const changes = changed
    .slice(0, pricesMax)
    .map(({ model, store: from, file: to }) => ({ model, from, to }));
  log.info({ changes, count: changed.length }, 'prices changed; new calls use them');
}

/** Logs, for each platform with another tier, the models called in the standard tier. */
export function logTiers(log: Log, catalog: Pick<Catalog, 'list' | 'isRetired'>): void {
  const models = Map.groupBy(modelsWithoutTier(catalog), ({ platform }) => platform);
  for (const [platform, rows] of models) {
    const facts = { platform, tier: rows[0]?.tier, count: rows.length };
    log.warn(
      { ...facts, models: rows.slice(0, namedMax).map(({ id }) => id) },
      'calls to these models request the standard tier because built-in rows have no price in another; add rows with `tiers` to models',
    );
  }
}
