import { dollars, factLines, tableLines, yesNo } from '../description/text-lines.ts';
import type { BudgetDocument, BudgetUseDocument } from '../documents/budgets.ts';

export function budgetsLines(budgets: readonly BudgetDocument[]): readonly string[] {
  const hasClosed = budgets.some(({ closedAt }) => closedAt !== null);
  const head = ['budget', 'per', 'cap', 'mode', 'apps', 'visible', 'origin', 'since'];
  return tableLines(
    hasClosed ? [...head, 'closed by the restore'] : head,
    budgets.map((budget) => [
      budget.name,
      budget.span,
      dollars(budget.capUsd),
      budget.mode,
      appsOf(budget) ?? '',
      yesNo(budget.visible),
      budget.origin,
      budget.since,
      ...(hasClosed ? [budget.closedAt ?? ''] : []),
    ]),
    'No budgets other than the apps\' daily budgets. Add some to the configuration, or run "budgets set".',
    ['cap'],
  );
}

function appsOf({ apps }: BudgetDocument): string | undefined {
  return apps === null || apps === 'all' ? (apps ?? undefined) : apps.join(', ');
}

export function budgetUseLines(budgets: readonly BudgetUseDocument[]): readonly string[] {
  return budgets.flatMap((budget, index) => {
    const lines = factLines(factsOf(budget));
    return index === 0 ? lines : ['', ...lines];
  });
}

function factsOf(budget: BudgetUseDocument): readonly (readonly [string, string])[] {
  const { wouldRefuse, users, remainingUsd: remaining } = budget;
  const apps = appsOf(budget);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['budget', `${budget.name}, ${budget.span} ${budget.period}`],
    ['cap', `${dollars(budget.capUsd)}${users === null ? '' : ' for each user'}`],
    ['spent', dollars(budget.spentUsd)],
    ['reserved', dollars(budget.heldUsd)],
    ['left', remaining === null ? undefined : dollars(remaining)],
    ['users', users === null ? undefined : `${users} with calls`],
    ['carried over', isNone(budget.carriedOverUsd) ? undefined : carriedOverText(budget)],
    ['estimated', isNone(budget.estimatedUsd) ? undefined : dollars(budget.estimatedUsd)],
    ['overrun', isNone(budget.overrunUsd) ? undefined : dollars(budget.overrunUsd)],
    ['mode', budget.mode],
    ['would reject', wouldRefuse.calls === 0 ? undefined : refusedOf(wouldRefuse)],
    ['apps', apps],
    ['visible', apps === undefined ? undefined : yesNo(budget.visible)],
    ['origin', budget.origin === 'file' ? 'configuration file' : 'command line'],
    ['since', budget.since],
    ['closed', budget.closedAt === null ? undefined : closedOf(budget.closedAt)],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function closedOf(closedAt: string): string {
  return `since the store was restored at ${closedAt}; run "budgets reopen NAME" to open it`;
}

function isNone(usd: string): boolean {
  return usd === '0';
}

function carriedOverText({ carriedOverUsd, since }: BudgetUseDocument): string {
  return `${dollars(carriedOverUsd)} of the spending came before the budget was set (${since}) or before an app joined it`;
}

function refusedOf({ calls, usd }: BudgetUseDocument['wouldRefuse']): string {
  return `${calls} ${calls === 1 ? 'call' : 'calls'} of at most ${dollars(usd)}`;
}

export function reopeningLines(budgets: readonly BudgetUseDocument[]): readonly string[] {
  return budgets.map(({ name, span, capUsd, spentUsd }) => {
    return `${name}: ${dollars(capUsd)} a ${span}, ${dollars(spentUsd)} of it recorded as spent. Calls are admitted up to the rest, although calls might be lost.`;
  });
}

export function removalLines(budgets: readonly BudgetUseDocument[]): readonly string[] {
  return budgets.map(({ name, span, capUsd, spentUsd }) => {
    return `${name}: ${dollars(capUsd)} a ${span}, ${dollars(spentUsd)} spent. The cap will no longer apply.`;
  });
}

export function removedLines(budgets: readonly BudgetDocument[]): readonly string[] {
  return budgets.map(({ name, span, capUsd }) => {
    return `${name}: removed (${dollars(capUsd)} a ${span}). Running calls still count toward it until they end.`;
  });
}
