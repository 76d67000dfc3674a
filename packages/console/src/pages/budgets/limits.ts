import type { BudgetUseDocument, OverviewApp } from '@model-gateway/server/operations/documents';
import { type Budgeted, type ShownBudget, shownBudget } from '../../text/budget-sums.ts';
import { picoOf } from '../../text/money.ts';
import { isUsedUp } from '../today/attention.ts';

/** An app's daily budget, or an additional one. */
export interface Limit extends Budgeted {
  readonly id: string;
  readonly kind: 'app' | 'group' | 'key' | 'users';
  readonly span: 'day' | 'month';
  readonly capUsd: string;
  readonly leftUsd: string | null;
  readonly shown: ShownBudget;
  /** The affected apps or users, in words. */
  readonly of: string;
  /** The app, where it has its own page. */
  readonly app: string | undefined;
  /** Undefined for an app's daily budget. */
  readonly use: BudgetUseDocument | undefined;
  /** From the forecast; undefined where there is none. */
  readonly exhaustedAt: string | undefined;
  readonly isUsedUp: boolean;
}

export function limitsOf(
  apps: readonly OverviewApp[],
  uses: readonly BudgetUseDocument[],
): readonly Limit[] {
  return [...apps.flatMap(ofApp), ...uses.map(ofUse)];
}

function ofApp(app: OverviewApp): readonly Limit[] {
  const { app: name, capUsd, spentUsd, heldUsd, leftUsd, forecast } = app;
  if (capUsd === null) return [];
  const amounts = { name, capUsd, spentUsd, heldUsd };
  return [
    {
      ...{ ...amounts, id: `app-day ${name}`, kind: 'app', span: 'day', app: name },
      ...{ leftUsd, shown: shownBudget(amounts), of: '', use: undefined },
      ...{ exhaustedAt: forecast.exhaustedAt ?? undefined, isUsedUp: isUsedUp(app) },
    },
  ];
}

function ofUse(use: BudgetUseDocument): Limit {
  const { name, span, capUsd, spentUsd, heldUsd, apps, users, remainingUsd, closedAt } = use;
  const [, kind, subject = name] = /^(app|key|users):(.+)$/s.exec(name) ?? [];
  const amounts = { name, capUsd, spentUsd, heldUsd };
  const shown = shownBudget(amounts);
  // The amount is per user, so together they have none. A closed budget has nothing left.
  const left = remainingUsd === null ? undefined : closedAt === null ? shown.left : '$0.00';
  return {
    ...{ ...amounts, id: `${name} ${span}`, span, use, exhaustedAt: undefined },
    isUsedUp: remainingUsd === '0',
    ...(kind === 'app' || kind === 'key' || kind === 'users' ? { kind } : { kind: 'group' }),
    ...{ leftUsd: remainingUsd, shown: { ...shown, left } },
    of: ofText(apps, users),
    app: kind === 'app' || kind === 'users' ? subject : undefined,
  };
}

function ofText(apps: BudgetUseDocument['apps'], users: number | null): string {
  if (users !== null) return `each of ${users.toLocaleString('en')} users`;
  if (apps === 'all') return 'all apps';
  return apps === null ? '' : apps.join(', ');
}

/** The used share, to sort by the limit that comes first. */
export function usedShareOf({ capUsd, spentUsd, heldUsd, leftUsd }: Limit): number {
  // For a budget per user the highest use is unknown.
  if (leftUsd === null) return -1;
  const cap = picoOf(capUsd);
  if (cap === 0n) return 1_000_000;
  return Number(((picoOf(spentUsd) + picoOf(heldUsd)) * 1_000_000n) / cap);
}
