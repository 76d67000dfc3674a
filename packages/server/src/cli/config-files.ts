import { existsSync } from 'node:fs';
import type { Catalog } from '../catalog/catalog.ts';
import { chooseConfig } from '../config/choose-file.ts';
import type { PartConfig } from '../config/parts.ts';
import type { Config } from '../domain/config.ts';
import { unboundSentence } from '../domain/unbound-app.ts';
import { didYouMean } from '../lib/nearest.ts';
import { budgetAppProblems, storedApps } from '../operations/budgets/budget-apps.ts';
import { compareFile } from '../operations/config/compare-file.ts';
import { adminFailureOf } from '../operations/context/admin-error.ts';
import type { AdminContext } from '../operations/context/context.ts';
import type { CheckedConfig, ConfigFiles } from '../operations/context/parts.ts';
import {
  boundApps,
  declaredApps,
  needsBinding,
  unboundApps,
} from '../operations/projects/unbound-apps.ts';
import { missingPolicy } from './missing-apps.ts';
import {
  type CommandContext,
  type CommonOptions,
  readConfig,
  UsageError,
} from './process/context.ts';
import { environmentProblems } from './process/environment.ts';
import { stopWarning } from './start-warnings.ts';

/** Each file is read once, when first needed. */
export function configFiles(context: CommandContext, options: CommonOptions): ConfigFiles {
  let checked: Promise<CheckedConfig> | undefined;
  return {
    check(file) {
      checked ??= check(context, { ...options, config: file ?? options.config });
      return checked;
    },
    compare: () => compare(context, options),
  };
}

async function check(context: CommandContext, named: CommonOptions): Promise<CheckedConfig> {
  const config = readNamed(context, named);
  const problems = await budgetAppProblems(config, () => appsOfStore(context, config, named));
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  const { catalogOf } = await import('./process/platforms.ts');
  const { withPlatforms } = await import('./process/platforms.ts');
  const catalog = await catalogOf(context, config);
  // Creates each platform without a request: this detects missing packages.
  await withPlatforms(context, config, async () => undefined);
  const { limits, streaming, apps } = config;
  const stop = stopWarning(limits, streaming || apps.some((app) => app.streaming === true));
  const unbound = await unboundLines(context, named, { config, catalog });
  return {
    config,
    warnings: [...(stop === undefined ? [] : [stop]), ...doubts(config, catalog), ...unbound],
  };
}

/** The check neither creates nor requires the store. */
async function appsOfStore(context: CommandContext, config: Config, options: CommonOptions) {
  if (!hasStore(config)) return [];
  return (await readStore(context, options, storedApps)) ?? [];
}

function readNamed(context: CommandContext, options: CommonOptions): Config {
  try {
    return readConfig(context, options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { environment } = context;
    const location = chooseConfig({ option: options.config, environment });
    const isOfFile = error.message !== environmentProblems(environment).join('\n');
    if ('problem' in location || !isOfFile || error.message.startsWith(location.file)) throw error;
    throw new UsageError(`${error.message}\nin ${location.file}`);
  }
}

/** Shows the changes of a startup, and the problem that would stop it. */
async function compare(context: CommandContext, options: CommonOptions) {
  const { onStore } = await import('./process/run-admin.ts');
  const missing = missingPolicy(context, {});
  const file = readConfig(context, options);
  const { catalogOf } = await import('./process/platforms.ts');
  return onStore(context, options, async (admin) =>
    compareFile(admin, file, { missing, catalog: await catalogOf(context, file) }),
  );
}

/**
 * Unknown models, and a port conflict that would appear only at listening. One line each, with its
 * path.
 */
function doubts(
  { apps, listen, admin }: Pick<Config, 'apps' | 'listen' | 'admin'>,
  catalog: Pick<Catalog, 'list' | 'aliases'>,
): readonly string[] {
  const known = [...catalog.list(), ...catalog.aliases()].map(({ id }) => id);
  const models = apps.flatMap(({ name, models: allowed = [] }, index) =>
    [...allowed]
      .filter((id) => !known.includes(id))
      .map((id) => {
        const cure = didYouMean(id, known) || 'run "models list"';
        return `apps[${index}].models: the catalog has no model "${id}" (app ${name}); ${cure}`;
      }),
  );
  if (listen.port !== admin.port || listen.port === 0) return models;
  const port = `admin.port: ${admin.port} is also the port of listen; use different ports`;
  return [...models, port];
}

type ReadConfig = Pick<PartConfig<'apps'>, 'store' | 'apps'> & {
  readonly platforms: PartConfig<'catalog'>['catalog']['platforms'];
};

/** One sentence each. An unavailable store is one warning. */
export async function unboundLines(
  context: CommandContext,
  options: CommonOptions,
  { config, catalog }: { readonly config: ReadConfig; readonly catalog: Catalog },
): Promise<readonly string[]> {
  const served = { catalog, platforms: config.platforms };
  const { apps: declared } = config;
  if (!config.platforms.some(needsBinding)) return [];
  const apps = hasStore(config)
    ? await readStore(context, options, (admin) => boundApps(admin, declared))
    : declaredApps(declared);
  return unboundApps(apps ?? [], served).map(unboundSentence);
}

/** Undefined without an available store, which a check does not require. */
async function readStore<T>(
  context: CommandContext,
  options: CommonOptions,
  read: (admin: AdminContext) => Promise<T>,
): Promise<T | undefined> {
  const { onStore } = await import('./process/run-admin.ts');
  try {
    return await onStore(context, options, read);
  } catch (error) {
    const failure = adminFailureOf(error);
    if (failure?.kind !== 'away') throw error;
    context.warn(`the apps of the store could not be read: ${failure.message}`);
    return undefined;
  }
}

/** Opening a SQLite store creates it, which a check must not do. */
function hasStore({ store }: Pick<PartConfig<never>, 'store'>): boolean {
  return store.kind !== 'sqlite' || existsSync(store.path);
}
