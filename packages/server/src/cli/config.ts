import type { Command } from 'commander';
import { chooseConfig } from '../config/choose-file.ts';
import { configSchema } from '../config/file-keys.ts';
import type { Config } from '../domain/config.ts';
import { AdminError } from '../operations/admin-error.ts';
import { budgetAppProblems, storedApps } from '../operations/budgets/budget-apps.ts';
import { compareFile } from '../operations/config/compare-file.ts';
import { configDocument } from '../operations/config/config-document.ts';
import { missingSentence } from '../operations/config/file-plan.ts';
import { configLines, diffLines } from '../operations/config/lines.ts';
import { type CommandContext, type CommonOptions, readConfig, UsageError } from './context.ts';
import { doubts } from './doubts.ts';
import { environmentProblems } from './environment.ts';
import { missingPolicy } from './missing-apps.ts';
import { printDocument } from './print.ts';
import { withSharedOptions } from './shared-options.ts';
import { stopWarning } from './stop-warning.ts';
import { hasStore, readStore, unboundLines } from './unbound-apps.ts';

/** `config check [FILE]`, the file by itself; `config diff`, against the store; `config schema`. */
export function registerConfig(program: Command, context: CommandContext): void {
  const config = program
    .command('config')
    .description('the configuration file, by itself and against the store');
  withSharedOptions(config.command('check [file]').description('check a file for mistakes')).action(
    (file: string | undefined, _options: unknown, command: Command) =>
      check(context, file, command.optsWithGlobals<CommonOptions>()),
  );
  withSharedOptions(
    config
      .command('diff')
      .description('show what a start with the file would do to apps, budgets and prices'),
  ).action((_options: unknown, command: Command) =>
    diff(context, command.optsWithGlobals<CommonOptions>()),
  );
  withSharedOptions(
    config.command('schema').description('print the JSON Schema of the file, for editors'),
  ).action((_options: unknown, command: Command) =>
    printDocument(context, command.optsWithGlobals<CommonOptions>(), configSchema(), (schema) =>
      JSON.stringify(schema, null, 2).split('\n'),
    ),
  );
}

async function check(context: CommandContext, file: string | undefined, options: CommonOptions) {
  const named = { ...options, config: file ?? options.config };
  const config = readNamed(context, named);
  const problems = await budgetAppProblems(config, () => appsOfStore(context, config, named));
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  // Only now: the other two of these commands ask for no platform.
  const { catalogOf } = await import('./catalog.ts');
  const { withPlatforms } = await import('./platforms.ts');
  const catalog = await catalogOf(context, config);
  // Makes each platform, and asks none: a package that is missing is found here.
  await withPlatforms(context, config, async () => undefined);
  printDocument(context, options, configDocument(config), configLines);
  const { limits, streaming, apps } = config;
  const warning = stopWarning(limits, streaming || apps.some((app) => app.streaming === true));
  const unbound = await unboundLines(context, named, { config, catalog });
  const warnings = warning === undefined ? [] : [warning];
  for (const line of [...warnings, ...doubts(config, catalog), ...unbound]) context.warn(line);
}

/** The apps of the store, which the check neither creates nor requires. */
async function appsOfStore(context: CommandContext, config: Config, options: CommonOptions) {
  if (!hasStore(config)) return [];
  return (await readStore(context, options, storedApps)) ?? [];
}

/** Which of several files has the problems is said once, after them. */
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

async function diff(context: CommandContext, options: CommonOptions) {
  const { onStore } = await import('./run-admin.ts');
  const missing = missingPolicy(context, {});
  // As a start would: it says what that does, and what it would stop at.
  const file = readConfig(context, options);
  const { catalogOf } = await import('./catalog.ts');
  const compared = await onStore(context, options, async (admin) => {
    return compareFile(admin, file, { missing, catalog: await catalogOf(context, file) });
  });
  printDocument(context, options, compared, diffLines);
  const lost = compared.apps.filter(({ atStart }) => atStart === 'refuse').map(({ app }) => app);
  if (lost.length > 0) throw new AdminError(missingSentence(lost, compared.file));
}
