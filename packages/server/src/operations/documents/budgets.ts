import Type from 'typebox';
import { changed, count, type Document, instant, pageOf, usd } from './shapes.ts';

export const BudgetDocument = Type.Object({
  name: Type.String({ description: 'Name of a shared budget, or app:NAME, key:ID or users:APP' }),
  span: Type.Enum(['day', 'month']),
  capUsd: usd,
  mode: Type.Enum(['enforce', 'shadow']),
  visible: Type.Boolean(),
  apps: Type.Union([Type.Array(Type.String()), Type.Literal('all'), Type.Null()], {
    description: 'Apps of a shared budget; null otherwise',
  }),
  origin: Type.Enum(['file', 'command']),
  since: instant,
  closedAt: Type.Union([instant, Type.Null()], {
    description: 'Time of the restore that closed it; null while it is open',
  }),
});
export type BudgetDocument = Document<typeof BudgetDocument>;

export const BudgetUseDocument = Type.Object({
  ...BudgetDocument.properties,
  period: Type.String(),
  spentUsd: usd,
  heldUsd: usd,
  remainingUsd: Type.Union([usd, Type.Null()], {
    description: '0 while the budget is closed; null for users:APP, where each user has the cap',
  }),
  carriedOverUsd: Type.String({
    ...{ was: 'broughtUsd', description: 'Part of spentUsd from before the budget was set' },
  }),
  estimatedUsd: usd,
  overrunUsd: Type.String({ description: 'Part of spentUsd above the reservations of its calls' }),
  wouldRefuse: Type.Object({ calls: count, usd }),
  users: Type.Union([count, Type.Null()], {
    description: 'For users:APP, the number of users with a call in the period; null otherwise',
  }),
});
export type BudgetUseDocument = Document<typeof BudgetUseDocument>;

export const BudgetUses = Type.Array(BudgetUseDocument);

export const BudgetsPage = pageOf(BudgetUseDocument);
export type BudgetsPage = Document<typeof BudgetsPage>;

/** Spans after the change; for a removal, before it. */
export const BudgetChanged = changed(BudgetUses);
export type BudgetChanged = Document<typeof BudgetChanged>;
