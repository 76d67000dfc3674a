import type { UsageAnswer } from '@model-gateway/contract';
import { scopesReport } from '../../ledger/scopes-report.ts';
import { usageReport } from '../../ledger/usage-report.ts';
import { utcDayOf } from '../../lib/clock.ts';
import type { Registry } from '../../registry/registry.ts';
import { createScopes } from '../../registry/scopes.ts';
import { selectBudgets } from '../../store/queries/budgets.ts';
import { type AppRow, selectApps } from '../../store/queries/registry.ts';
import { selectRestore } from '../../store/queries/restores.ts';
import { appRow } from '../apps/apps.ts';
import type { AdminContext } from '../context/context.ts';
import { app, argument, optional } from '../description/field.ts';
import { type Operation, ofType, operation } from '../description/operation.ts';
import { dayOrWord } from '../description/time-fields.ts';
import { usageLines, usagesLines } from './usage-lines.ts';

/**
 * The result of `GET /v1/usage`. The day is a UTC day, `today` or `yesterday`; default today. A
 * past day without a call has no budget.
 */
export async function usageOfApp(
  context: AdminContext,
  name: string,
  day: string | undefined,
  reader: Reader = 'operator',
): Promise<UsageAnswer> {
  const row = await appRow(context, name);
  return reportOf(context, await registryOf(context, reader), row, day);
}

/** Operators see every budget fully; an app sees only its permitted part. */
export type Reader = 'operator' | 'app';

export async function usageOfAll(
  context: AdminContext,
  day: string | undefined,
): Promise<readonly UsageAnswer[]> {
  const rows = await context.store.read(selectApps(context.company));
  const registry = await registryOf(context, 'operator');
  return Promise.all(rows.map((row) => reportOf(context, registry, row, day)));
}

type BudgetVisibility = Pick<Registry, 'scopesOf' | 'isVisible'>;

async function registryOf({ store }: AdminContext, reader: Reader): Promise<BudgetVisibility> {
  const budgets = await store.read(selectBudgets);
  const restore = await store.read(selectRestore);
  const visible = new Set(budgets.filter((each) => each.isVisible).map(({ scope }) => scope));
  return {
    scopesOf: createScopes(budgets, () => undefined, restore),
    isVisible: ({ scope }) => reader === 'operator' || visible.has(scope),
  };
}

async function reportOf(
  { store, clock }: AdminContext,
  registry: BudgetVisibility,
  row: AppRow,
  day: string | undefined,
): Promise<UsageAnswer> {
  const nowMs = clock.now();
  const today = utcDayOf(nowMs);
  const words: Readonly<Record<string, string>> = {
    today,
    yesterday: utcDayOf(nowMs - dayMs),
  };
  const reported = { day: words[day ?? 'today'] ?? day ?? today, today };
  const [usage, scopes] = await Promise.all([
    usageReport(store, row, reported),
    scopesReport({ store, registry }, row.name, reported),
  ]);
  return scopes.length === 0 ? usage : { ...usage, scopes };
}

const dayMs = 86_400_000;

const show = operation({
  name: 'usage',
  about: "show one day's spending of one app or all apps",
  right: 'look',
  input: {
    app: optional(argument(app('app (default: all apps)'))),
    day: optional(dayOrWord('UTC day, for example 2026-11-21, or yesterday (default: today)')),
  },
  example: { app: 'search', day: 'yesterday' },
  result: ofType<UsageAnswer | readonly UsageAnswer[]>(),
  run: ({ admin }, { app: name, day }) =>
    name === undefined ? usageOfAll(admin, day) : usageOfApp(admin, name, day),
  lines: (report) => ('app' in report ? usageLines(report) : usagesLines(report)),
});

export const usage: readonly Operation[] = [show];
