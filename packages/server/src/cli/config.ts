import type { Command } from 'commander';
import { AdminError } from '../admin/admin-error.ts';
import { missingSentence, planFile } from '../admin/file-plan.ts';
import { chooseConfigFile } from '../config/choose-file.ts';
import { configSchema } from '../config/file-keys.ts';
import type { Config } from '../domain/config.ts';
import { shortHash } from '../ledger/owners.ts';
import { selectApps, selectKeys } from '../registry/queries.ts';
import { type AppDifference, differenceOf } from './config-difference.ts';
import {
  type CommandContext,
  type CommonOptions,
  readConfig,
  UsageError,
  withAdmin,
} from './context.ts';
import { missingPolicy } from './missing-apps.ts';
import { withEveryPlatform } from './platforms.ts';
import { factLines, printDocument, tableLines } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `config check [FILE]`, the file by itself; `config diff`, against the store; `config schema`. */
export function registerConfig(program: Command, context: CommandContext): void {
  const config = program
    .command('config')
    .description('the configuration file, by itself and against the store');
  withSharedOptions(
    config.command('check [file]').description('find what is wrong with a file, without a store'),
  ).action((file: string | undefined, _options: unknown, command: Command) =>
    check(context, file, command.optsWithGlobals<CommonOptions>()),
  );
  withSharedOptions(
    config.command('diff').description('show what a start with the file would do to the apps'),
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
  const config = readNamed(context, { ...options, config: file ?? options.config });
  // Makes each platform, and asks none: a package that is missing is found here.
  await withEveryPlatform(context, config, async () => undefined);
  printDocument(context, options, checkedDocument(config), (checked) =>
    factLines([
      ['file', checked.file],
      ['configuration', checked.config],
      ['company', checked.company],
      ['store', checked.store],
      ['platforms', checked.platforms.join(', ')],
      ['models', `${checked.models} beside those that ship`],
      ['apps', checked.apps.join(', ') || 'none'],
    ]),
  );
}

/** Which of several files has the problems is said once, after them. */
function readNamed(context: CommandContext, options: CommonOptions): Config {
  try {
    return readConfig(context, options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const file = chooseConfigFile({ option: options.config, environment: context.environment });
    throw error.message.startsWith(file) ? error : new UsageError(`${error.message}\nin ${file}`);
  }
}

function checkedDocument(config: Config) {
  const { file, company, store, platforms, models, apps } = config;
  return {
    ...{ file, config: shortHash(config.hash), company, store: store.kind },
    platforms: platforms.map(({ name }) => name),
    models: models.length,
    apps: apps.map(({ name }) => name),
  };
}

async function diff(context: CommandContext, options: CommonOptions) {
  const missing = missingPolicy(context, {});
  const config = readConfig(context, options);
  const planned = await withAdmin(context, config, async ({ store, company }) =>
    planFile(config.apps, await store.read(selectApps(company)), await store.read(selectKeys)),
  );
  const apps = planned.map((app) => differenceOf(app, missing));
  const document = { file: config.file, config: shortHash(config.hash), apps };
  printDocument(context, options, document, () => diffLines(config, apps));
  const lost = apps.filter(({ atStart }) => atStart === 'refuse').map(({ app }) => app);
  if (lost.length > 0) throw new AdminError(missingSentence(lost, config.file));
}

function diffLines(config: Config, apps: readonly AppDifference[]): readonly string[] {
  const rows = apps.flatMap((app) => rowsOf(app));
  const none = `A start with ${config.file} changes nothing, and no command has changed what it says.`;
  return tableLines(['app', 'a start', 'setting', 'store', 'file'], rows, none);
}

function rowsOf({ app, atStart, settings }: AppDifference): readonly (readonly string[])[] {
  const word = words[atStart];
  if (settings.length > 0) {
    return settings.map(({ setting, store, file, isSet }) => [
      ...[app, isSet ? word : 'leaves it', setting, store ?? '-', file],
    ]);
  }
  return atStart === 'leave' ? [] : [[app, word, '', '', '']];
}

const words: Record<AppDifference['atStart'], string> = {
  create: 'creates it',
  change: 'sets',
  leave: 'leaves it',
  disable: 'disables it',
  keep: 'keeps it',
  refuse: 'REFUSES: it is not in the file',
};
