import type { ScopeBudget, UsageAnswer } from '@model-gateway/contract';
import { formatUsd, parseUsd } from '../../lib/money.ts';
import { dollars, dollarsOr, factLines, tableLines } from '../description/text-lines.ts';

export function usagesLines(reports: readonly UsageAnswer[]): readonly string[] {
  const rows = reports.map(({ app, day, totals, budget }) => [
    app,
    day,
    String(totals.calls),
    String(totals.errors),
    dollars(totals.costUsd),
    dollarsOr(budget?.heldUsd ?? null, '-'),
    dollarsOr(budget?.remainingUsd ?? null, '-'),
    budgetText(budget, totals.calls),
  ]);
  const head = ['app', 'day', 'calls', 'errors', 'cost', 'reserved', 'remaining', 'daily budget'];
  const none = 'No apps. Add apps to the configuration, or run "apps create".';
  const all = reports.length > 1 ? [...rows, totalCells(reports)] : rows;
  return tableLines(head, all, none, head.slice(2));
}

/** A day without a call has no recorded limit, whatever the app's budget. */
function budgetText(budget: UsageAnswer['budget'], calls: number): string {
  if (budget !== null) return dollars(budget.capUsd);
  return calls === 0 ? '-' : 'none';
}

/** Remaining budgets are separate for each app, so they have no sum. */
function totalCells(reports: readonly UsageAnswer[]): readonly string[] {
  const sum = (amounts: readonly string[]) =>
    formatUsd(amounts.reduce((total, amount) => total + (parseUsd(amount) ?? 0n), 0n));
  const count = (read: (totals: UsageAnswer['totals']) => number) =>
    String(reports.reduce((total, { totals }) => total + read(totals), 0));
  return [
    'total',
    reports[0]?.day ?? '',
    count(({ calls }) => calls),
    count(({ errors }) => errors),
    dollars(sum(reports.map(({ totals }) => totals.costUsd))),
    dollars(sum(reports.map(({ budget }) => budget?.heldUsd ?? '0'))),
    '-',
    '-',
  ];
}

export function usageLines(report: UsageAnswer): readonly string[] {
  const { budget, totals } = report;
  const state =
    budget === null
      ? noBudget(report)
      : `$${budget.capUsd}: $${budget.spentUsd} spent, $${budget.heldUsd} reserved, $${budget.remainingUsd} left until ${budget.resetsAt}`;
  return [
    ...factLines([
      ['app', report.app],
      ['project', report.project],
      ['day', report.day],
      ['budget', state],
      ...(report.scopes ?? []).map((scope) => [scope.scope, scopeText(scope)] as const),
      ['calls', `${totals.calls} (${totals.errors} errors)`],
      ['cost', `$${totals.costUsd} ($${totals.estimatedUsd} estimated)`],
      ['unpriced calls', String(totals.unpricedCalls)],
    ]),
    '',
    ...tableLines(
      ['model', 'calls', 'errors', 'input', 'cached', 'output', 'cost'],
      report.models.map((model) => [
        model.model,
        String(model.calls),
        String(model.errors),
        String(model.inputTokens),
        String(model.cachedInputTokens),
        String(model.outputTokens),
        dollars(model.costUsd),
      ]),
      'No calls on this day.',
      ['calls', 'errors', 'input', 'cached', 'output', 'cost'],
    ),
  ];
}

function scopeText({ mode, wouldRefuse, resetsAt, closedAt, ...usd }: ScopeBudget): string {
  const { capUsd = '', spentUsd = '', heldUsd = '', remainingUsd = '' } = usd;
  const amounts = `$${capUsd}: $${spentUsd} spent, $${heldUsd} reserved, $${remainingUsd} left until ${resetsAt}`;
  if (closedAt !== undefined) return `${amounts}; closed: the store was restored at ${closedAt}`;
  if (mode === 'enforce') return amounts;
  return `${amounts}; ${mode}: would have rejected ${wouldRefuse?.calls ?? 0}, of at most $${wouldRefuse?.maxCostUsd ?? '0'}`;
}

function noBudget({ totals }: UsageAnswer): string {
  return totals.calls === 0 ? 'not recorded (no calls that day)' : 'none';
}
