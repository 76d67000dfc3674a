import { type BudgetConfig, budgetModes } from '../domain/budget.ts';
import { mustBe } from '../lib/sentences.ts';
import { usd } from './amounts.ts';
import { appName } from './apps.ts';
import { type Field, readList, report } from './field.ts';
import { type Reader, reader, wordSchema } from './reader.ts';
import { oneOf, shortName, shown, unique, yesOrNo } from './scalars.ts';
import { key, openSection, required, sectionSchema, uniqueList } from './section.ts';

export const budgetName = shortName('a budget');

const listed = uniqueList(appName, { empty: 'names no app; write all, or at least one' });

const members: Reader<readonly string[] | 'all'> = reader(
  { anyOf: [...listOf(wordSchema(['all'])), listed.schema] },
  (field) => {
    if (field.tree.kind === 'scalar') {
      if (field.tree.text === 'all') return 'all';
      return report(field, mustBe('all, or a list such as [search, reports]', shown(field)));
    }
    return listed(field);
  },
);

function listOf({ anyOf }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(anyOf) ? anyOf : [];
}

const budgetKeys = {
  name: required('Name of the budget; refusals tell it to callers', budgetName),
  apps: required('The apps that share it; all for every app', members),
  dailyUsd: key('What they may spend together in a UTC day', usd),
  monthlyUsd: key('What they may spend together in a UTC month', usd),
  mode: key('shadow: it refuses nothing, and counts what it would have', oneOf(budgetModes)),
  visible: key('true: refusals and usage tell callers its amounts', yesOrNo),
};

export const budgetSchema = sectionSchema(
  budgetKeys,
  { mode: 'enforce', visible: false },
  { anyOf: [{ required: ['dailyUsd'] }, { required: ['monthlyUsd'] }] },
);

export function readBudgets(field: Field): readonly BudgetConfig[] {
  const newName = unique(budgetName);
  return readList(
    field,
    (item) => {
      const section = openSection(item, budgetKeys);
      if (
        item.tree.kind === 'table' &&
        !section.field('dailyUsd') &&
        !section.field('monthlyUsd')
      ) {
        report(item, 'has no cap; write dailyUsd, monthlyUsd or both');
      }
      return {
        name: section.readWith('name', newName) ?? '',
        apps: section.read('apps') ?? [],
        dailyPicoUsd: section.read('dailyUsd'),
        monthlyPicoUsd: section.read('monthlyUsd'),
        mode: section.read('mode') ?? 'enforce',
        isVisible: section.read('visible') ?? false,
      };
    },
    { id: 'name' },
  );
}
