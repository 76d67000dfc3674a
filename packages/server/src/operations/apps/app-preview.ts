import type { AppConfig, AppSettings } from '../../domain/app.ts';
import { creditsIn } from '../../domain/registered-app.ts';
import { nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';
import { formatCredits, formatUsd, larger } from '../../lib/money.ts';
import { selectBudget } from '../../store/queries/ledger.ts';
import { type AppRow, projectNameOf } from '../../store/queries/registry.ts';
import { countMonths } from '../../store/queries/wallet-history.ts';
import type { AdminContext } from '../context/context.ts';
import type { AppPreview } from '../documents/apps.ts';
import { appDocument } from './app-document.ts';
import { differences, settingsOf } from './app-settings.ts';
import { appRow } from './apps.ts';

/**
 * Changes nothing. `isToday`: the daily budget is for today only. Throws an AdminError for an
 * unknown app.
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
    ...compareWithFile(after, declared),
  };
}

export function compareWithFile(row: AppRow, declared: readonly AppConfig[]) {
  const config = declared.find(({ name }) => name === row.name);
  if (config === undefined) return { file: [], note: null };
  const { name: _, ...named } = config;
  const file = differences(row, settingsOf(named));
  const settings = file.map(({ setting }) => setting).join(', ');
  const note =
    file.length === 0
      ? null
      : `The configuration file has different values for ${settings}. Your change stays in effect. The next start applies only values that changed in the file since it was last read`;
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

/** Null where the grant stays. */
async function grantChange(
  { store, clock }: Pick<AdminContext, 'store' | 'clock'>,
  row: Pick<AppRow, 'name' | 'credits' | 'earlierCredits'>,
  { credits: after }: Pick<Partial<AppSettings>, 'credits'>,
): Promise<string | null> {
  const nowMs = clock.now();
  const month = utcMonthOf(nowMs);
  const before = creditsIn(row, month);
  if (before === undefined || after === undefined) return null;
  const next = utcDayOf(nextUtcMonthMs(nowMs));
  const grant = `${formatCredits(after.monthlyGrantPicoUsd, after.picoUsdPerCredit)} credits`;
  if (before.picoUsdPerCredit !== after.picoUsdPerCredit) {
    return `The new grant of ${grant} and the new value of a credit start on ${next} for all users of ${row.name}.`;
  }
  if (before.monthlyGrantPicoUsd === after.monthlyGrantPicoUsd) return null;
  const users = await store.read(countMonths(row.name, month));
  return `Users of ${row.name} with calls in ${month} (${users}) keep their grant until ${next}. All other users get the new grant of ${grant} at once.`;
}
