import { configSchema } from '../../config/file-keys.ts';
import type { Config } from '../../domain/config.ts';
import { listedNames } from '../../lib/nearest.ts';
import { shortHash } from '../../store/queries/instances.ts';
import { missingSentence } from '../apps/file-plan.ts';
import { argument, optional, text } from '../description/field.ts';
import { type Operation, ofType, operation } from '../description/operation.ts';
import { factLines, tableLines } from '../description/text-lines.ts';
import type { AppDifference, FileComparison } from '../documents/config.ts';

const check = operation({
  name: 'config check',
  about: 'check a configuration file for mistakes',
  opens: 'nothing',
  needs: ['configFiles'],
  input: {
    file: optional(argument(text('file (default: the configuration of every command)', 'file'))),
  },
  result: ofType<ConfigDocument>(),
  run: async ({ configFiles }, { file }) => configDocument((await configFiles.check(file)).config),
  warnings: async ({ configFiles }, { file }) => (await configFiles.check(file)).warnings,
  lines: configLines,
});

const diff = operation({
  name: 'config diff',
  about: 'show the changes that a start with the file would make to apps, budgets and prices',
  opens: 'nothing',
  needs: ['configFiles'],
  result: ofType<FileComparison>(),
  run: ({ configFiles }) => configFiles.compare(),
  failure({ apps, file }) {
    const lost = apps.filter(({ atStart }) => atStart === 'refuse').map(({ app }) => app);
    return lost.length === 0 ? undefined : missingSentence(lost, file);
  },
  lines: diffLines,
});

const schema = operation({
  name: 'config schema',
  about: 'print the JSON Schema of the configuration, for editors',
  opens: 'nothing',
  result: ofType<object>(),
  run: async () => configSchema(),
  lines: (printed) => JSON.stringify(printed, null, 2).split('\n'),
});

export const config: readonly Operation[] = [check, diff, schema];

/** Contains no secrets. */
export interface ConfigDocument {
  readonly file: string;
  /** The configuration's name in the log and the audit log. */
  readonly config: string;
  readonly company: string;
  readonly store: 'sqlite' | 'postgres';
  readonly platforms: readonly string[];
  /** Excludes built-in rows. */
  readonly models: number;
  readonly apps: readonly string[];
}

function configDocument(config: Config): ConfigDocument {
  const { file, hash, company, store, platforms, models, apps } = config;
  return {
    file,
    config: shortHash(hash),
    company,
    store: store.kind,
    platforms: platforms.map(({ name }) => name),
    models: models.length,
    apps: apps.map(({ name }) => name),
  };
}

function configLines(checked: ConfigDocument): readonly string[] {
  return factLines([
    ['file', checked.file],
    ['configuration', checked.config],
    ['company', checked.company],
    ['store', checked.store],
    ['platforms', checked.platforms.join(', ')],
    ['models', `${checked.models}, plus the built-in catalog`],
    ['apps', listedNames(checked.apps) || 'none'],
  ]);
}

function diffLines({
  file,
  apps,
  budgets = [],
  hooks = [],
  prices = [],
}: FileComparison): readonly string[] {
  const rows = [
    ...apps.flatMap(rowsOf),
    ...budgets.flatMap(({ budget, ...same }) => rowsOf({ app: `budget ${budget}`, ...same })),
    ...hooks
      .filter(({ atStart }) => atStart !== 'leave')
      .map(({ hook, atStart }) => [`webhook ${hook}`, webhookTexts[atStart], '', '', '']),
    ...prices.map(({ model, store, file }) => {
      return [`model ${model}`, 'set', 'price', store ?? '-', file ?? '-'];
    }),
  ];
  const none = `Starting with ${file} changes nothing; the store matches the file.`;
  return tableLines(['app', 'at the start', 'setting', 'store', 'file'], rows, none);
}

function rowsOf({ app, atStart, settings }: AppDifference): readonly (readonly string[])[] {
  const word = words[atStart];
  if (settings.length > 0) {
    return settings.map(({ setting, store, file, isSet }) => [
      ...[app, isSet ? word : 'unchanged', setting, store ?? '-', file],
    ]);
  }
  return atStart === 'leave' ? [] : [[app, word, '', '', '']];
}

const webhookTexts = {
  tell: 'new: receives events from now on',
  leave: '',
  off: 'off: it answered 410',
  end: 'removed from the file: receives no more events',
};

const words: Record<AppDifference['atStart'], string> = {
  create: 'created',
  change: 'set',
  leave: 'unchanged',
  disable: 'disabled',
  keep: 'kept',
  refuse: 'START REFUSED: not in the file',
};
