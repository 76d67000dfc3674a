import type { BudgetConfig } from '../../domain/budget.ts';
import { formatUsd } from '../../lib/money.ts';
import type { BudgetRow } from '../../store/queries/budgets.ts';
import type { BudgetDifference, SettingAtStart } from '../documents/config.ts';
import { type PlannedBudget, planBudgets } from './declared-budgets.ts';

export function compareBudgets(
  declared: readonly BudgetConfig[],
  budgets: readonly BudgetRow[],
): readonly BudgetDifference[] {
  return planBudgets(declared, budgets).map((planned) => {
    const config = declared.find(({ name }) => name === planned.name);
    const settings = config === undefined ? [] : settingsOf(planned, config);
    return { budget: planned.name, atStart: atStartOf(planned, settings), settings };
  });
}

function atStartOf({ kind }: PlannedBudget, settings: readonly SettingAtStart[]) {
  if (kind === 'left') return 'keep';
  if (kind === 'create') return 'create';
  return settings.some(({ isSet }) => isSet) ? 'change' : 'leave';
}

type Values = Pick<BudgetConfig, 'apps' | 'mode' | 'isVisible'> & {
  readonly day: bigint | undefined;
  readonly month: bigint | undefined;
};

function settingsOf({ kind, before, wanted }: PlannedBudget, config: BudgetConfig) {
  // What a command made is not touched, and not compared.
  if (kind === 'command') return [];
  const file = textsOf({ ...config, day: config.dailyPicoUsd, month: config.monthlyPicoUsd });
  const store = storeTexts(before);
  const after = wanted && textsOf({ ...wanted, ...wanted.caps });
  return [...file].flatMap(([setting, text]): readonly SettingAtStart[] => {
    const known = store?.get(setting) ?? null;
    const isSet = after !== undefined && after.get(setting) !== known;
    const isUnset = known === null && text === 'none';
    return text === known || isUnset ? [] : [{ setting, store: known, file: text, isSet }];
  });
}

function storeTexts(rows: readonly BudgetRow[]): ReadonlyMap<string, string> | undefined {
  const [row] = rows;
  if (row === undefined) return undefined;
  const capOf = (span: string) => rows.find((each) => each.span === span)?.capPicoUsd;
  const { mode, isVisible, members: apps = [] } = row;
  return textsOf({ apps, mode, isVisible, day: capOf('day'), month: capOf('month') });
}

function textsOf({ apps, day, month, mode, isVisible }: Values): ReadonlyMap<string, string> {
  const cap = (amount: bigint | undefined) => (amount === undefined ? 'none' : formatUsd(amount));
  return new Map([
    ['apps', apps === 'all' ? apps : apps.toSorted().join(', ')],
    ['dailyUsd', cap(day)],
    ['monthlyUsd', cap(month)],
    ['mode', mode],
    ['visible', String(isVisible)],
  ]);
}
