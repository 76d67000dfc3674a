import { listedNames } from '../../lib/nearest.ts';
import { factLines, tableLines } from '../description/text-lines.ts';
import type { AppDifference, FileComparison } from '../documents/config.ts';
import type { ConfigDocument } from './config-document.ts';

export function configLines(checked: ConfigDocument): readonly string[] {
  return factLines([
    ['file', checked.file],
    ['configuration', checked.config],
    ['company', checked.company],
    ['store', checked.store],
    ['platforms', checked.platforms.join(', ')],
    ['models', `${checked.models} beside those that ship`],
    ['apps', listedNames(checked.apps) || 'none'],
  ]);
}

export function diffLines({
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
      .map(({ hook, atStart }) => [`hook ${hook}`, hookWords[atStart], '', '', '']),
    ...prices.map(({ model, store, file }) => {
      return [`model ${model}`, 'sets', 'price', store ?? '-', file ?? '-'];
    }),
  ];
  const none = `A start with ${file} changes nothing, and no command has changed what it says.`;
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

const hookWords = {
  tell: 'tells it from its first event on',
  leave: '',
  off: 'tells it nothing: it answered 410',
  end: 'tells it nothing more: it is not in the file',
};

const words: Record<AppDifference['atStart'], string> = {
  create: 'creates it',
  change: 'sets',
  leave: 'leaves it',
  disable: 'disables it',
  keep: 'keeps it',
  refuse: 'REFUSES: it is not in the file',
};
