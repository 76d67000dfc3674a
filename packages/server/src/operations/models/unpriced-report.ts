import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../domain/config.ts';
import type { PlatformFacts } from '../../domain/platform.ts';
import { otherModels } from '../../ledger/usage-names.ts';
import { utcDayOf } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { namesMax } from '../../lib/nearest.ts';
import type { Query } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { selectApps } from '../../store/queries/registry.ts';
import { text } from '../../store/schema/columns.ts';
import type { AdminContext } from '../context/context.ts';

const lookBackMs = 30 * 86_400_000;

/**
 * Logs apps that call unpriced models for free, models reserved at the highest known price, and
 * unknown models in allow-lists. Omits simulator models, which cost nothing.
 */
export async function reportUnpriced(parts: {
  readonly context: Pick<AdminContext, 'store' | 'clock' | 'company'>;
  readonly config: Pick<Config, 'unpriced' | 'platforms'>;
  readonly catalog: Catalog;
  readonly log: Log;
}): Promise<void> {
  const { context, config, catalog, log } = parts;
  const apps = await context.store.read(selectApps(context.company));
  const policyOf = (app: (typeof apps)[number]) => app.unpriced ?? config.unpriced;
  const serving = apps.filter((app) => app.isEnabled && app.credits === undefined);
  const free = serving.filter((app) => policyOf(app) === 'free').map(({ name }) => name);
  if (free.length > 0) {
    const apps = { apps: free.slice(0, namesMax), count: free.length };
    log.warn(
      apps,
      '`unpriced: free` is set; calls to models without a price count toward no budget',
    );
  }
  for (const { name: app, models } of apps) {
    const unknown = [...(models ?? [])].filter((id) => !catalog.model(id).isListed);
    if (unknown.length === 0) continue;
    const first = { models: unknown.slice(0, namesMax), count: unknown.length };
    log.warn({ app, ...first }, 'model allowlist contains models that are not in the catalog');
  }
  if (!serving.some((app) => policyOf(app) === 'dearest')) return;
  const models = await modelsWithoutPrice(context, catalog, config.platforms);
  if (models.length === 0) return;
  log.warn(
    { models: models.slice(0, namesMax), count: models.length },
    'models have no price; their calls are reserved and booked at the highest known rates; add prices in `models` and run "calls reprice", or set `unpriced: refuse`',
  );
}

async function modelsWithoutPrice(
  { store, clock }: Pick<AdminContext, 'store' | 'clock'>,
  catalog: Catalog,
  platforms: readonly PlatformFacts[],
): Promise<readonly string[]> {
  const called = await store.read(selectUnpricedModels(utcDayOf(clock.now() - lookBackMs)));
  const listed = catalog.list().map(({ id }) => id);
  const simulators = new Set(
    platforms.filter(({ kind }) => kind === 'simulator').map(({ name }) => name),
  );
  const candidates = [...new Set([...listed, ...called])].filter((id) => id !== otherModels);
  return candidates
    .map((id) => catalog.model(id))
    .filter(({ price, platform }) => price === undefined && !simulators.has(platform))
    .map(({ id }) => id)
    .sort();
}

function selectUnpricedModels(since: string): Query<readonly string[]> {
  return {
    sql: sql.selectUnpricedModels,
    values: [since],
    isLong: true,
    map: (rows) => rows.map((row) => text(row, 'model')),
  };
}
