import type { AppConfig, AppSettings } from '../../domain/app.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import { selectBudget } from '../../store/queries/ledger.ts';
import { type AppRow, projectNameOf } from '../../store/queries/registry.ts';
import { type AppDocument, appDocument } from '../apps/app-document.ts';
import { differences, type SettingDifference, settingsOf } from '../apps/app-settings.ts';
import { appRow } from '../apps/apps.ts';
import { grantChange } from '../apps/grant-change.ts';
import type { AdminContext } from '../context.ts';

/** The budget of the UTC day that runs. */
export interface TodayDocument {
  readonly capUsd: string;
  readonly spentUsd: string;
  readonly heldUsd: string;
  readonly remainingUsd: string;
}

/** What a change makes of an app. */
export interface AppPreview {
  readonly app: AppDocument;
  /** Null where the day has no budget. */
  readonly today: { readonly before: TodayDocument | null; readonly after: TodayDocument | null };
  /** Which users get a changed grant from when on; null where no grant changes. */
  readonly grant: string | null;
  /** What the configuration file says otherwise then. */
  readonly file: readonly SettingDifference[];
  /** What the next start with the file does with that; null where there is nothing. */
  readonly note: string | null;
}

/**
 * Says what `settings` make of an app, and changes nothing; with `isToday` its daily budget is
 * of the running day alone. Throws an AdminError where there is none.
 */
export async function previewApp(
  context: AdminContext,
  name: string,
  { settings, isToday }: { readonly settings: Partial<AppSettings>; readonly isToday: boolean },
  declared: readonly AppConfig[],
): Promise<AppPreview> {
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

/** What the file says of an app otherwise than the store. */
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

function todayOf(cap: bigint | undefined, spent: bigint, held: bigint): TodayDocument | null {
  if (cap === undefined) return null;
  return {
    capUsd: formatUsd(cap),
    spentUsd: formatUsd(spent),
    heldUsd: formatUsd(held),
    remainingUsd: formatUsd(larger(0n, cap - spent - held)),
  };
}
