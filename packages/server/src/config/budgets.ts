import { type BudgetConfig, budgetModes } from '../domain/budget.ts';
import { mustBe } from '../lib/sentences.ts';
import { usd } from './amounts.ts';
import { appName } from './apps.ts';
import { type Field, readList, report } from './field.ts';
import { type Reader, reader, wordSchema } from './reader.ts';
import { oneOf, shortName, shown, unique, yesOrNo } from './scalars.ts';
import { key, openSection, required, sectionSchema, uniqueList } from './section.ts';

export const budgetName = shortName('a budget');

const listed = uniqueList(appName, { empty: 'is empty; use all, or list at least one app' });

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
  name: required('Name of the budget; callers see it in rejections', budgetName),
  apps: required('Apps that share it; all for every app', members),
  dailyUsd: key('Total budget per UTC day', usd),
  monthlyUsd: key('Total budget per UTC month', usd),
  mode: key('shadow: reject nothing, count calls that would be rejected', oneOf(budgetModes)),
  visible: key('true: callers see its amounts in rejections and usage', yesOrNo),
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
        report(item, 'has no limit; set dailyUsd, monthlyUsd or both');
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
