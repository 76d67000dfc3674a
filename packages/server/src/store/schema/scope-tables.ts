import {
  type BudgetMember,
  type BudgetScope,
  type ScopeMode,
  scopeModes,
} from '../../books/scope.ts';
import { origins, type StoredApp } from './service-tables.ts';
import { table } from './table.ts';

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

/** Changed by operations; only the operator changes the others. */
export const scopeChanges = [
  ...(['admittedCap', 'brought', 'spent', 'held', 'estimated', 'overrun'] as const),
  ...(['wouldRefuse', 'wouldRefuseAmount'] as const),
] as const;

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

export const memberChanges = ['brought', 'leftSpent'] as const;

export interface StoredBudget {
  /** `app:NAME`, `group:NAME`, `key:LINEAGE`, or `users:APP` for each user of an app. */
  readonly scope: string;
  readonly span: (typeof spans)[number];
  readonly cap: bigint;
  readonly mode: ScopeMode;
  readonly visible: boolean;
  /** JSON, or `all`; undefined except for a group. */
  readonly members: string | undefined;
  readonly origin: StoredApp['origin'];
  readonly since: number;
  readonly fileValues: string | undefined;
}

const spans = ['day', 'month'] as const;

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
