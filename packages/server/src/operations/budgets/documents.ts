import Type from 'typebox';
import { count, type Document, instant, nullable, pageOf, usd } from '../shapes.ts';

/** A budget beside an app's own day, one span of it, with what was counted. */
export const BudgetUseDocument = Type.Object({
  name: Type.String({ description: "A group's name; else app:NAME, key:ID or users:APP" }),
  span: Type.Enum(['day', 'month']),
  capUsd: usd,
  mode: Type.Enum(['enforce', 'shadow']),
  visible: Type.Boolean(),
  apps: nullable(Type.Union([Type.Array(Type.String()), Type.Literal('all')])),
  origin: Type.Enum(['file', 'command']),
  since: instant,
  closedAt: nullable(instant),
  period: Type.String(),
  spentUsd: usd,
  heldUsd: usd,
  remainingUsd: nullable(usd),
  broughtUsd: usd,
  estimatedUsd: usd,
  overrunUsd: usd,
  wouldRefuse: Type.Object({ calls: count, usd }),
  users: nullable(count),
});
export type BudgetUseDocument = Document<typeof BudgetUseDocument>;

/** `GET /budgets`. */
export const BudgetsPage = pageOf(BudgetUseDocument);
export type BudgetsPage = Document<typeof BudgetsPage>;
