import { chooseConfig } from '../config/choose-file.ts';
import type { Config } from '../domain/config.ts';
import { budgetAppProblems, storedApps } from '../operations/budgets/budget-apps.ts';
import { compareFile } from '../operations/config/compare-file.ts';
import type { CheckedConfig, ConfigFiles } from '../operations/context/parts.ts';
import { doubts } from './doubts.ts';
import { missingPolicy } from './missing-apps.ts';
import {
  type CommandContext,
  type CommonOptions,
  readConfig,
  UsageError,
} from './process/context.ts';
import { environmentProblems } from './process/environment.ts';
import { stopWarning } from './stop-warning.ts';
import { hasStore, readStore, unboundLines } from './unbound-apps.ts';

/** Each is read once, when first needed. */
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
  const { catalogOf } = await import('./process/catalog.ts');
  const { withPlatforms } = await import('./process/platforms.ts');
  const catalog = await catalogOf(context, config);
  // Makes each platform, and asks none: a package that is missing is found here.
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
    const place = chooseConfig({ option: options.config, environment });
    const isOfFile = error.message !== environmentProblems(environment).join('\n');
    if ('problem' in place || !isOfFile || error.message.startsWith(place.file)) throw error;
    throw new UsageError(`${error.message}\nin ${place.file}`);
  }
}

/** Shows what a start would change, and where it would stop. */
async function compare(context: CommandContext, options: CommonOptions) {
  const { onStore } = await import('./process/run-admin.ts');
  const missing = missingPolicy(context, {});
  const file = readConfig(context, options);
  const { catalogOf } = await import('./process/catalog.ts');
  return onStore(context, options, async (admin) =>
    compareFile(admin, file, { missing, catalog: await catalogOf(context, file) }),
  );
}
