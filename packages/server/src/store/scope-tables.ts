import { type BudgetMember, type BudgetScope, type ScopeMode, scopeModes } from '../books/scope.ts';
import { origins, type StoredApp } from './service-tables.ts';
import { table } from './table.ts';

/** Caps beside an app's own day. */
export const budgetScopes = table<BudgetScope>('budget_scope', ['scope', 'period'], (row, as) => ({
  scope: as.text(row.scope),
  period: as.text(row.period),
  cap: as.big(row.cap),
  mode: as.oneOf(row.mode, scopeModes),
  admittedCap: as.optionalBig(row.admittedCap),
  brought: as.big(row.brought),
  spent: as.big(row.spent),
  held: as.big(row.held),
  estimated: as.big(row.estimated),
  overrun: as.big(row.overrun),
  pruned: as.big(row.pruned),
  wouldRefuse: as.big(row.wouldRefuse),
  wouldRefuseAmount: as.big(row.wouldRefuseAmount),
}));

/** What operations change of such a cap; the rest is the operator's. */
export const scopeChanges = [
  ...(['admittedCap', 'brought', 'spent', 'held', 'estimated', 'overrun'] as const),
  ...(['wouldRefuse', 'wouldRefuseAmount'] as const),
] as const;

/** Apps that budgets count beside what calls name. */
export const budgetMembers = table<BudgetMember>(
  'budget_member',
  ['app', 'scope', 'period'],
  (row, as) => ({
    app: as.text(row.app),
    scope: as.text(row.scope),
    period: as.text(row.period),
    firstDay: as.text(row.firstDay),
    endDay: as.text(row.endDay),
    brought: as.big(row.brought),
    leftSpent: as.optionalBig(row.leftSpent),
  }),
);

/** What operations change of such a member. */
export const memberChanges = ['brought', 'leftSpent'] as const;

/** A cap beside an app's own day, as it is kept. */
export interface StoredBudget {
  /** `app:NAME`, `group:NAME`, `key:LINEAGE`, or `users:APP` for each user of an app. */
  readonly scope: string;
  readonly span: (typeof spans)[number];
  readonly cap: bigint;
  readonly mode: ScopeMode;
  readonly visible: boolean;
  /** The apps of a group as JSON, or `all`; undefined for what is no group. */
  readonly members: string | undefined;
  readonly origin: StoredApp['origin'];
  readonly since: number;
  /** What the file said last, as JSON. */
  readonly fileValues: string | undefined;
}

const spans = ['day', 'month'] as const;

/** Caps beside the apps' own days: their definitions. */
export const budgetDefinitions = table<StoredBudget>(
  'budget_definition',
  ['scope', 'span'],
  (row, as) => ({
    scope: as.text(row.scope),
    span: as.oneOf(row.span, spans),
    cap: as.big(row.cap),
    mode: as.oneOf(row.mode, scopeModes),
    visible: as.flag(row.visible),
    members: as.optionalText(row.members),
    origin: as.oneOf(row.origin, origins),
    since: as.int(row.since),
    fileValues: as.optionalText(row.fileValues),
  }),
);
