import { budgetModes } from '../../domain/budget.ts';
import { selectKeys } from '../../store/queries/registry.ts';
import { openBudget } from '../../store/queries/restores.ts';
import { AdminError } from '../context/admin-error.ts';
import { previewChange } from '../context/audited-change.ts';
import type { AdminContext } from '../context/context.ts';
import { mayUseApp, visibleApps } from '../context/session.ts';
import {
  appNamesOrAll,
  argument,
  asOption,
  id,
  oneOf,
  optional,
  orNone,
  usd,
  yesOrNo,
} from '../description/field.ts';
import { type Operating, type Operation, operation } from '../description/operation.ts';
import type { BudgetUseDocument } from '../documents/budgets.ts';
import { findClosed, reopeningLine, writeOpening } from '../restores/restores.ts';
import { scopeOfName } from './budget-document.ts';
import { listBudgetUses, removeBudget, setBudget, showBudget } from './budgets.ts';
import {
  budgetsLines,
  budgetUseLines,
  removalLines,
  removedLines,
  reopeningLines,
} from './lines.ts';

const uses = {
  result: async () => (await import('../documents/budgets.ts')).BudgetUses,
  hasFormerNames: true,
} as const;
const scope = argument(asOption('name', id('shared budget, or app:NAME, key:ID, users:APP')));

const list = operation({
  name: 'budgets list',
  about: "list budgets other than the apps' daily budgets, with their spending",
  right: 'look',
  http: ['GET /budgets'],
  apps: 'own',
  ...uses,
  run: (operating) => listVisibleBudgets(operating),
  lines: budgetsLines,
});

/** A login limited to apps sees only its own apps of a group. */
async function listVisibleBudgets({ admin, session }: Operating) {
  const all = await listBudgetUses(admin);
  if (session.apps === undefined) return all;
  const own = new Set(session.apps.flatMap((app) => [`app:${app}`, `users:${app}`]));
  const named = (await admin.store.readForOperator(selectKeys))
    .filter(({ parsed, customerId }) => mayUseApp(session, parsed?.app ?? customerId))
    .map(({ lineage }) => `key:${lineage}`);
  return all.flatMap((budget) => {
    if (own.has(budget.name) || named.includes(budget.name)) return [budget];
    const { apps, visible } = budget;
    if (!visible || apps === null) return [];
    const mine = apps === 'all' ? (session.apps ?? []) : visibleApps(session, apps);
    return mine.length === 0 ? [] : [{ ...budget, apps: mine }];
  });
}

const show = operation({
  name: 'budgets show',
  about: "show a budget's spending in its current period",
  right: 'look',
  input: { scope },
  example: { scope: 'research' },
  ...uses,
  run: ({ admin }, input) => showBudget(admin, input.scope),
  lines: budgetUseLines,
});

const set = operation({
  name: 'budgets set',
  about: 'create a shared budget, or change its named fields',
  right: 'operate',
  kind: 'change',
  http: ['PUT /budgets/:scope'],
  needs: ['budgets'],
  input: {
    scope,
    apps: optional(appNamesOrAll('apps that share it, for example a,b; all for every app')),
    dailyUsd: optional(orNone(usd('daily cap (UTC); none removes it'))),
    monthlyUsd: optional(orNone(usd('monthly cap (UTC); none removes it'))),
    mode: optional(
      oneOf(
        budgetModes,
        'enforce, or shadow (rejects nothing; counts the calls that enforce would reject)',
        'mode',
      ),
    ),
    visible: optional(yesOrNo('true: show its amounts to callers; false: hide them')),
  },
  example: { scope: 'research', apps: 'search,tutor', dailyUsd: '5' },
  ...uses,
  async run(
    { admin, budgets: ofFile },
    { scope: name, apps, dailyUsd, monthlyUsd, mode, visible },
  ) {
    const settings = {
      ...{ apps, mode, isVisible: visible },
      ...{ dailyPicoUsd: dailyUsd, monthlyPicoUsd: monthlyUsd },
    };
    if (Object.values(settings).every((value) => value === undefined)) {
      const fields = 'apps, dailyUsd, monthlyUsd, mode or visible';
      throw new AdminError(`nothing to set; specify ${fields}`, {
        isBadValue: true,
        field: 'apps',
      });
    }
    return setBudget(admin, name, settings, ofFile);
  },
  lines: budgetUseLines,
});

const reopen = operation({
  name: 'budgets reopen',
  about: 'open a budget that a restore closed; its calls are admitted again',
  right: 'money',
  kind: 'change',
  http: ['POST /budgets/:scope/reopen'],
  input: { scope },
  example: { scope: 'research' },
  ...uses,
  async plan({ admin }, { scope: name }) {
    const closed = await planReopenBudget(admin, name);
    return { changes: [reopeningLine(scopeOfName(name))], result: closed };
  },
  danger: { subject: (input) => input.scope, intent: reopeningLines },
  run: ({ admin }, input) => reopenBudget(admin, input.scope),
  lines: budgetUseLines,
});

const remove = operation({
  name: 'budgets remove',
  about: 'remove a budget; it no longer limits calls',
  right: 'operate',
  kind: 'change',
  http: ['DELETE /budgets/:scope'],
  input: { scope },
  example: { scope: 'research' },
  ...uses,
  async plan({ admin }, { scope: name }) {
    const shown = await showBudget(admin, name);
    return {
      changes: await previewChange(admin, (context) => removeBudget(context, name)),
      result: shown,
    };
  },
  danger: { subject: (input) => input.scope, intent: removalLines },
  async run({ admin }, { scope: name }) {
    const shown = await showBudget(admin, name);
    await removeBudget(admin, name);
    return shown;
  },
  lines: removedLines,
});

export const budgets: readonly Operation[] = [list, show, set, reopen, remove];

/** Throws an AdminError where the budget is not closed. */
export async function planReopenBudget(
  context: AdminContext,
  name: string,
): Promise<readonly BudgetUseDocument[]> {
  const shown = await showBudget(context, name);
  if (shown.some(({ closedAt }) => closedAt !== null)) return shown;
  throw new AdminError(`the budget ${name} is not closed`);
}

export async function reopenBudget(
  context: AdminContext,
  name: string,
): Promise<readonly BudgetUseDocument[]> {
  await planReopenBudget(context, name);
  const closed = await findClosed(context);
  if (closed !== undefined) {
    const { restore } = closed;
    const scope = scopeOfName(name);
    await writeOpening(
      context,
      openBudget(restore, scope, context.clock.now()),
      scope,
      restore.atMs,
    );
  }
  return showBudget(context, name);
}
