import Type from 'typebox';
import { changed, count, type Document, instant, pageOf, usd } from './shapes.ts';

export const BudgetDocument = Type.Object({
  name: Type.String({ description: "A group's name; else app:NAME, key:ID or users:APP" }),
  span: Type.Enum(['day', 'month']),
  capUsd: usd,
  mode: Type.Enum(['enforce', 'shadow']),
  visible: Type.Boolean(),
  apps: Type.Union([Type.Array(Type.String()), Type.Literal('all'), Type.Null()], {
    description: 'The apps of a group; else null',
  }),
  origin: Type.Enum(['file', 'command']),
  since: instant,
  closedAt: Type.Union([instant, Type.Null()], {
    description: 'When the store was restored that has closed it; null while it is open',
  }),
});
export type BudgetDocument = Document<typeof BudgetDocument>;

export const BudgetUseDocument = Type.Object({
  ...BudgetDocument.properties,
  period: Type.String(),
  spentUsd: usd,
  heldUsd: usd,
  remainingUsd: Type.Union([usd, Type.Null()], {
    description: 'Nothing while it is closed; null of users, since each has the cap',
  }),
  broughtUsd: Type.String({ description: 'The part of spentUsd from before the budget was set' }),
  estimatedUsd: usd,
  overrunUsd: Type.String({ description: 'The part of spentUsd above what its calls held' }),
  wouldRefuse: Type.Object({ calls: count, usd }),
  users: Type.Union([count, Type.Null()], {
    description: 'Of users:APP, how many have a call in the period; else null',
  }),
});
export type BudgetUseDocument = Document<typeof BudgetUseDocument>;

export const BudgetUses = Type.Array(BudgetUseDocument);

export const BudgetsPage = pageOf(BudgetUseDocument);
export type BudgetsPage = Document<typeof BudgetsPage>;

/** Spans after the change; for a removal, before it. */
export const BudgetChanged = changed(BudgetUses);
export type BudgetChanged = Document<typeof BudgetChanged>;
