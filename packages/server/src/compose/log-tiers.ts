import type { Catalog } from '../catalog/catalog.ts';
import type { Log } from '../lib/log.ts';
import { modelsWithoutTier } from '../operations/models/models.ts';

const modelsMax = 10;

/** For each platform with another tier, logs the models called in the standard one. */
export function logTiers(log: Log, catalog: Pick<Catalog, 'list' | 'isRetired'>): void {
  const models = Map.groupBy(modelsWithoutTier(catalog), ({ platform }) => platform);
  for (const [platform, rows] of models) {
    const facts = { platform, tier: rows[0]?.tier, count: rows.length };
    log.warn(
      { ...facts, models: rows.slice(0, modelsMax).map(({ id }) => id) },
      'calls of these models name the standard tier, since rows that ship have no price in another: add rows with `tiers` to models',
    );
  }
}
