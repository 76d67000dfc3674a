import type { BudgetConfig, BudgetMode, BudgetSpan } from '../../domain/budget.ts';
import { appNamePattern } from '../../domain/key-name.ts';
import type { Restore } from '../../domain/restore.ts';
import { utcDayOf } from '../../lib/clock.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { closedAtOn } from '../../registry/closed-budgets.ts';
import { isDecided, type Statement } from '../../store/port/port.ts';
import {
  type BudgetRow,
  selectBudgets,
  selectBudgetsRevision,
  unlessChangedSince,
} from '../../store/queries/budgets.ts';
import { selectRestore } from '../../store/queries/restores.ts';
import { selectUse } from '../../store/queries/scopes.ts';
import { AdminError } from '../context/admin-error.ts';
import { changeRegistry } from '../context/change-registry.ts';
import { type AdminContext, withOperatorReads } from '../context/context.ts';
import type { BudgetDocument, BudgetUseDocument } from '../documents/budgets.ts';
import { storedApps, unknownApps } from './budget-apps.ts';
import { defineBudget, dropBudget } from './budget-changes.ts';
import { budgetDocument, budgetUseDocument, nameOfScope, scopeOfName } from './budget-document.ts';

export interface BudgetSettings {
  readonly apps?: readonly string[] | 'all' | undefined;
  /** Null removes the budget for this span. */
  readonly dailyPicoUsd?: bigint | null | undefined;
  readonly monthlyPicoUsd?: bigint | null | undefined;
  readonly mode?: BudgetMode | undefined;
  readonly isVisible?: boolean | undefined;
}

/** Retries after concurrent changes of the definitions. */
const triesMax = 5;

/** Excludes the apps' daily budgets. */
export async function listBudgets(context: AdminContext): Promise<readonly BudgetDocument[]> {
  const budgets = await context.store.read(selectBudgets);
  return documentsOf(context, budgets);
}

async function documentsOf(
  { store, clock }: AdminContext,
  budgets: readonly BudgetRow[],
): Promise<readonly BudgetDocument[]> {
  const closedAt = closedAtBy(await store.read(selectRestore), clock.now());
  return budgets.map((budget) => budgetDocument(budget, closedAt(budget)));
}

function closedAtBy(restore: Restore | undefined, nowMs: number) {
  return (budget: BudgetRow) => restore && closedAtOn(restore, budget, utcDayOf(nowMs));
}

export async function listBudgetUses(context: AdminContext): Promise<readonly BudgetUseDocument[]> {
  const readContext = withOperatorReads(context);
  return usesOf(readContext, await readContext.store.read(selectBudgets));
}

async function usesOf(
  { store, clock }: Pick<AdminContext, 'store' | 'clock'>,
  budgets: readonly BudgetRow[],
): Promise<readonly BudgetUseDocument[]> {
  const nowMs = clock.now();
  const closedAt = closedAtBy(await store.read(selectRestore), nowMs);
  return Promise.all(
    budgets.map(async (budget) => {
      const use = await store.read(selectUse(budget, nowMs));
      return budgetUseDocument(budget, use, closedAt(budget));
    }),
  );
}

/** Returns all spans. Throws an AdminError for an unknown budget. */
export async function showBudget(
  context: AdminContext,
  name: string,
): Promise<readonly BudgetUseDocument[]> {
  return usesOf(context, budgetsNamed(await context.store.read(selectBudgets), name));
}

function budgetsNamed(budgets: readonly BudgetRow[], name: string): readonly BudgetRow[] {
  const named = budgets.filter(({ scope }) => scope === scopeOfName(name));
  if (named.length > 0) return named;
  const names = budgets.flatMap(({ scope }) => nameOfScope(scope) ?? []);
  throw new AdminError(`unknown budget ${name}; run "budgets list"`, {
    isUnknown: true,
    hint: didYouMean(name, names),
  });
}

/**
 * Changes only the named settings. `declared`: the budgets of the file; startup must create them
 * first. Throws an AdminError for invalid settings.
 */
export async function setBudget(
  context: AdminContext,
  name: string,
  settings: BudgetSettings,
  declared: readonly Pick<BudgetConfig, 'name'>[],
): Promise<readonly BudgetUseDocument[]> {
  if (!appNamePattern.test(name)) {
    throw new AdminError(
      `"${name}" is not a valid name for a shared budget: use 1–63 characters of a–z, 0–9 and "-", starting with a letter. Set an app's budgets with "apps update", a key's with "keys issue"`,
      { isBadValue: true, field: 'scope' },
    );
  }
  if (settings.apps !== undefined) {
    const [unknown] = unknownApps(settings.apps, await storedApps(context));
    if (unknown !== undefined) throw new AdminError(unknown);
  }
  await changeBudgets(context, (budgets) => {
    const before = budgets.filter(({ scope }) => scope === scopeOfName(name));
    const isDeclared = declared.some((each) => each.name === name);
    if (before.length === 0 && isDeclared) {
      throw new AdminError(
        `the budget ${name} is in the file but not yet created; start the service with this file, or remove the budget from it`,
      );
    }
    return groupChanges(context, name, before, specOf(name, before, settings));
  });
  return showBudget(context, name);
}

/** Removes all spans. Throws an AdminError for an unknown budget. */
export async function removeBudget(
  context: AdminContext,
  name: string,
): Promise<readonly BudgetDocument[]> {
  let removed: readonly BudgetRow[] = [];
  await changeBudgets(context, (budgets) => {
    removed = budgetsNamed(budgets, name);
    return removed.flatMap((row) => dropBudget(context, row));
  });
  return documentsOf(context, removed);
}

/** Retries after concurrent changes of the definitions. */
export async function changeBudgets(
  context: AdminContext,
  changesOf: (budgets: readonly BudgetRow[]) => readonly Statement[],
): Promise<void> {
  for (let tries = 1; tries <= triesMax; tries++) {
    // Must come before the rows' read: a change between the two reads then rejects this one.
    const revision = await context.store.read(selectBudgetsRevision);
    const changes = changesOf(await context.store.read(selectBudgets));
    if (changes.length === 0) return;
    const statements = [unlessChangedSince(revision), ...changes];
    if (isDecided(statements, await changeRegistry(context, statements))) return;
  }
  throw new AdminError('too many concurrent changes of the budgets; try again');
}

/** Both spans share all settings but the amount. */
export interface BudgetSpec {
  readonly apps: readonly string[] | 'all';
  readonly mode: BudgetMode;
  readonly isVisible: boolean;
  readonly caps: Readonly<Record<BudgetSpan, bigint | undefined>>;
  readonly origin: BudgetRow['origin'];
  readonly fileValues: string | undefined;
}

function specOf(name: string, before: readonly BudgetRow[], settings: BudgetSettings): BudgetSpec {
  const [known] = before;
  const apps = settings.apps ?? known?.members;
  const capOf = (span: BudgetSpan, value: bigint | null | undefined) => {
    const current = before.find((row) => row.span === span)?.capPicoUsd;
    return value === undefined ? current : (value ?? undefined);
  };
  const caps = {
    day: capOf('day', settings.dailyPicoUsd),
    month: capOf('month', settings.monthlyPicoUsd),
  };
  if (apps === undefined) {
    throw new AdminError(`the budget ${name} is new; specify its apps, or all`, {
      isBadValue: true,
      field: 'scope',
    });
  }
  if (caps.day === undefined && caps.month === undefined) {
    throw new AdminError(
      `the budget ${name} would have no cap; set a daily or monthly cap, or run "budgets remove ${name}"`,
      { isBadValue: true, field: 'scope' },
    );
  }
  return {
    ...{ apps, caps, origin: known?.origin ?? 'command', fileValues: known?.fileValues },
    mode: settings.mode ?? known?.mode ?? 'enforce',
    isVisible: settings.isVisible ?? known?.isVisible ?? false,
  };
}

const spans: readonly BudgetSpan[] = ['day', 'month'];

/** Empty where nothing differs. */
export function groupChanges(
  context: AdminContext,
  name: string,
  before: readonly BudgetRow[],
  { apps, caps, ...same }: BudgetSpec,
): readonly Statement[] {
  const scope = scopeOfName(name);
  return spans.flatMap((span) => {
    const old = before.find((row) => row.span === span);
    const capPicoUsd = caps[span];
    if (capPicoUsd === undefined) return old === undefined ? [] : dropBudget(context, old);
    const members = apps === 'all' ? apps : [...new Set(apps)].toSorted();
    const sinceMs = old?.sinceMs ?? context.clock.now();
    const row: BudgetRow = { ...same, scope, span, capPicoUsd, members, sinceMs };
    return old !== undefined && isSame(old, row) ? [] : defineBudget(context, old, row);
  });
}

function isSame(one: BudgetRow, other: BudgetRow): boolean {
  const textOf = ({ capPicoUsd, mode, isVisible, members, origin, fileValues }: BudgetRow) =>
    JSON.stringify([String(capPicoUsd), mode, isVisible, members, origin, fileValues]);
  return textOf(one) === textOf(other);
}
