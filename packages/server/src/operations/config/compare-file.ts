import type { Catalog } from '../../catalog/catalog.ts';
import type { BudgetConfig } from '../../domain/budget.ts';
import type { Config } from '../../domain/config.ts';
import type { WebhookConfig } from '../../domain/notify.ts';
import { formatUsd } from '../../lib/money.ts';
import { type BudgetRow, selectBudgets } from '../../store/queries/budgets.ts';
import { shortHash } from '../../store/queries/instances.ts';
import { selectApps, selectKeys } from '../../store/queries/registry.ts';
import { type SettingDifference, settingsOf, settingTexts } from '../apps/app-settings.ts';
import { type MissingAppsPolicy, type PlannedApp, planFile } from '../apps/file-plan.ts';
import type { AdminContext } from '../context/context.ts';
import type {
  AppDifference,
  BudgetDifference,
  FileComparison,
  SettingAtStart,
  WebhookDifference,
} from '../documents/config.ts';
import { comparePrices } from '../models/price-book.ts';
import { compareProjects, type DeclaredBinding } from '../projects/declared-projects.ts';
import { listWebhooks } from '../webhooks/webhooks.ts';
import { type PlannedBudget, planBudgets } from './declared-budgets.ts';

type ComparedConfig = Pick<Config, 'file' | 'hash' | 'apps' | 'budgets' | 'notify'>;

export async function compareFile(
  { store, company }: AdminContext,
  { file, hash, apps: declared, budgets: shared, notify }: ComparedConfig,
  {
    missing,
    catalog,
  }: { readonly missing: MissingAppsPolicy; readonly catalog: Pick<Catalog, 'pricesByModel'> },
): Promise<FileComparison> {
  const rows = await store.read(selectApps(company));
  const planned = planFile(declared, rows, await store.readForOperator(selectKeys));
  const ofFile = planned.filter(({ kind }) => kind !== 'command').map(({ name }) => name);
  const bound = await compareProjects(
    { store },
    declared.filter(({ name }) => ofFile.includes(name)),
  );
  const apps = planned.map((app) => withProjects(differenceOf(app, missing), bound));
  const budgets = compareBudgets(shared, await store.read(selectBudgets));
  const webhooks = await compareWebhooks({ store }, notify);
  const prices = await comparePrices({ store }, catalog);
  return {
    ...{ file, config: shortHash(hash), apps },
    ...(budgets.length > 0 && { budgets }),
    ...(webhooks.length > 0 && { hooks: webhooks }),
    ...(prices.length > 0 && { prices }),
  };
}

function differenceOf(planned: PlannedApp, missing: MissingAppsPolicy): AppDifference {
  const app = planned.name;
  switch (planned.kind) {
    case 'create': {
      const { name: _name, ...named } = planned.app;
      const settings = [...settingTexts(settingsOf(named))].map(([setting, file]) => {
        return { setting, store: null, file, isSet: true };
      });
      return { app, atStart: 'create', settings };
    }
    case 'change': {
      const settings = [
        ...withIsSet(planned.differences, true),
        ...withIsSet(planned.drift, false),
      ];
      return { app, atStart: planned.differences.length > 0 ? 'change' : 'leave', settings };
    }
    case 'same':
      return { app, atStart: 'leave', settings: withIsSet(planned.drift, false) };
    case 'missing':
      return { app, atStart: missing, settings: [] };
    case 'unused': {
      const staysUnchanged = missing === 'keep' || !planned.row.isEnabled;
      return { app, atStart: staysUnchanged ? 'leave' : 'disable', settings: [] };
    }
    case 'command':
    case 'left':
      return { app, atStart: 'leave', settings: [] };
  }
}

function withProjects(app: AppDifference, bound: readonly DeclaredBinding[]): AppDifference {
  const settings = bound
    .filter((binding) => binding.app === app.app)
    .map(({ platform, projectId: file, before: store = null }) => {
      return { setting: `projects.${platform}`, store, file, isSet: true };
    });
  if (settings.length === 0) return app;
  const atStart = app.atStart === 'leave' ? 'change' : app.atStart;
  return { ...app, atStart, settings: [...app.settings, ...settings] };
}

function withIsSet(differences: readonly SettingDifference[], isSet: boolean) {
  return differences.map((difference) => ({ ...difference, isSet }));
}

async function compareWebhooks(
  context: Pick<AdminContext, 'store'>,
  webhooks: readonly WebhookConfig[],
): Promise<readonly WebhookDifference[]> {
  const listed = await listWebhooks(context, webhooks);
  return listed.map(({ name: hook, state, delivered, waiting, dead }) => {
    const isNew = delivered + waiting + dead === 0;
    const atStart = { on: isNew ? 'tell' : 'leave', gone: 'off', left: 'end' } as const;
    return { hook, atStart: atStart[state], waiting };
  });
}

function compareBudgets(
  declared: readonly BudgetConfig[],
  budgets: readonly BudgetRow[],
): readonly BudgetDifference[] {
  return planBudgets(declared, budgets).map((planned) => {
    const config = declared.find(({ name }) => name === planned.name);
    const settings = config === undefined ? [] : budgetSettingsOf(planned, config);
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

function budgetSettingsOf({ kind, before, spec }: PlannedBudget, config: BudgetConfig) {
  // The file neither changes nor compares a command's budget.
  if (kind === 'command') return [];
  const file = textsOf({ ...config, day: config.dailyPicoUsd, month: config.monthlyPicoUsd });
  const store = storeTexts(before);
  const after = spec && textsOf({ ...spec, ...spec.caps });
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
