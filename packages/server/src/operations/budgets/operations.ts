import { budgetModes } from '../../domain/budget.ts';
import { selectKeys } from '../../store/queries/registry.ts';
import { openBudget } from '../../store/queries/restores.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import { rehearse } from '../context/noted-change.ts';
import { mayUseApp, visibleApps } from '../context/who.ts';
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

const result = async () => (await import('../documents/budgets.ts')).BudgetUses;
const scope = argument(asOption('name', id("a group's name, or app:NAME, key:ID, users:APP")));

const list = operation({
  name: 'budgets list',
  about: "list the budgets beside the apps' own days, with what was counted of them",
  right: 'look',
  http: ['GET /budgets'],
  apps: 'own',
  result,
  run: (operating) => budgetsSeen(operating),
  lines: budgetsLines,
});

/** A login limited to apps sees its apps in a group, not who else is in it. */
async function budgetsSeen({ admin, who }: Operating) {
  const all = await listBudgetUses(admin);
  if (who.apps === undefined) return all;
  const own = new Set(who.apps.flatMap((app) => [`app:${app}`, `users:${app}`]));
  const named = (await admin.store.readAside(selectKeys))
    .filter(({ parsed, customerId }) => mayUseApp(who, parsed?.app ?? customerId))
    .map(({ lineage }) => `key:${lineage}`);
  return all.flatMap((budget) => {
    if (own.has(budget.name) || named.includes(budget.name)) return [budget];
    const { apps, visible } = budget;
    if (!visible || apps === null) return [];
    const mine = apps === 'all' ? (who.apps ?? []) : visibleApps(who, apps);
    return mine.length === 0 ? [] : [{ ...budget, apps: mine }];
  });
}

const show = operation({
  name: 'budgets show',
  about: 'show what a budget has come to in its period',
  right: 'look',
  input: { scope },
  example: { scope: 'research' },
  result,
  run: ({ admin }, input) => showBudget(admin, input.scope),
  lines: budgetUseLines,
});

const set = operation({
  name: 'budgets set',
  about: 'make a budget that apps share, or change what is named of it',
  right: 'operate',
  kind: 'change',
  http: ['PUT /budgets/:scope'],
  needs: ['budgets'],
  input: {
    scope,
    apps: optional(appNamesOrAll('the apps that share it, such as a,b; all for every app')),
    dailyUsd: optional(orNone(usd('what they may spend in a UTC day; none for no such cap'))),
    monthlyUsd: optional(orNone(usd('what they may spend in a UTC month; none for no such cap'))),
    mode: optional(oneOf(budgetModes, 'shadow refuses nothing, and counts what it would', 'mode')),
    visible: optional(yesOrNo('true: callers are told its amounts; else false')),
  },
  example: { scope: 'research', apps: 'search,tutor', dailyUsd: '5' },
  result,
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
      throw new AdminError(`nothing to set: name ${fields}`, { isBadValue: true, field: 'apps' });
    }
    return setBudget(admin, name, settings, ofFile);
  },
  lines: budgetUseLines,
});

const reopen = operation({
  name: 'budgets reopen',
  about: 'open a budget that a restored store has closed: calls are admitted again',
  right: 'money',
  kind: 'change',
  http: ['POST /budgets/:scope/reopen'],
  input: { scope },
  example: { scope: 'research' },
  result,
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
  about: 'end a budget: calls are not held to it any more',
  right: 'operate',
  kind: 'change',
  http: ['DELETE /budgets/:scope'],
  input: { scope },
  example: { scope: 'research' },
  result,
  async plan({ admin }, { scope: name }) {
    const shown = await showBudget(admin, name);
    return {
      changes: await rehearse(admin, (context) => removeBudget(context, name)),
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

/** Throws an AdminError where it is not closed. */
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
