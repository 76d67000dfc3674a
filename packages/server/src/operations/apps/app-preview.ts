import type { AppConfig, AppSettings } from '../../domain/app.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import { selectBudget } from '../../store/queries/ledger.ts';
import { type AppRow, projectNameOf } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { AppPreview } from '../documents/apps.ts';
import { appDocument } from './app-document.ts';
import { differences, settingsOf } from './app-settings.ts';
import { appRow } from './apps.ts';
import { grantChange } from './grant-change.ts';

/**
 * Changes nothing; `isToday`: the daily budget is for today only. Throws an AdminError where there
 * is none.
 */
export async function previewApp(
  context: AdminContext,
  name: string,
  { settings, isToday }: { readonly settings: Partial<AppSettings>; readonly isToday: boolean },
  declared: readonly AppConfig[],
): Promise<Omit<AppPreview, 'capped'>> {
  const row = await appRow(context, name);
  const after = isToday ? row : changedRow(context, row, settings);
  const budget = await context.store.read(selectBudget(name, utcDayOf(context.clock.now())));
  const { spent = 0n, held = 0n } = budget ?? {};
  const cap = budget === undefined ? row.dailyBudgetPicoUsd : budget.cap;
  const capAfter = 'dailyBudgetPicoUsd' in settings ? settings.dailyBudgetPicoUsd : cap;
  return {
    app: appDocument(after),
    today: { before: todayOf(cap, spent, held), after: todayOf(capAfter, spent, held) },
    grant: 'credits' in settings ? await grantChange(context, row, settings) : null,
    ...besideFile(after, declared),
  };
}

export function besideFile(row: AppRow, declared: readonly AppConfig[]) {
  const config = declared.find(({ name }) => name === row.name);
  if (config === undefined) return { file: [], note: null };
  const { name: _, ...named } = config;
  const file = differences(row, settingsOf(named));
  const settings = file.map(({ setting }) => setting).join(', ');
  const note =
    file.length === 0
      ? null
      : `The configuration file says otherwise of ${settings}. What is set here stays: a start sets what the file has changed since it was last read, and nothing else`;
  return { file, note };
}

function changedRow(
  { company }: AdminContext,
  row: AppRow,
  settings: Partial<AppSettings>,
): AppRow {
  const { enabled = row.isEnabled, models, ...same } = settings;
  const project =
    'project' in settings ? (settings.project ?? projectNameOf(company, row.name)) : row.project;
  return {
    ...{ ...row, ...same, project, isEnabled: enabled },
    models: 'models' in settings ? models && new Set(models) : row.models,
  };
}

function todayOf(cap: bigint | undefined, spent: bigint, held: bigint) {
  if (cap === undefined) return null;
  return {
    capUsd: formatUsd(cap),
    spentUsd: formatUsd(spent),
    heldUsd: formatUsd(held),
    remainingUsd: formatUsd(larger(0n, cap - spent - held)),
  };
}
