import Type from 'typebox';
import { appNames, asked, changed, changing, confirming } from '../change-shapes.ts';
import { type Document, nullable } from '../shapes.ts';
import { BudgetUseDocument } from './documents.ts';

/** `PUT /budgets/:scope`: what is not named stays as it is; null for no such cap. */
export const BudgetAsked = changing({
  apps: Type.Optional(Type.Union([appNames, Type.Literal('all')])),
  dailyUsd: Type.Optional(nullable(asked)),
  monthlyUsd: Type.Optional(nullable(asked)),
  mode: Type.Optional(Type.Enum(['enforce', 'shadow'])),
  visible: Type.Optional(Type.Boolean()),
});
export type BudgetAsked = Document<typeof BudgetAsked>;

/** `DELETE /budgets/:scope`; `confirm` is its name. */
export const BudgetRemoval = confirming({});
export type BudgetRemoval = Document<typeof BudgetRemoval>;

/** `POST /budgets/:scope/reopen`; `confirm` is its name. */
export const BudgetReopening = confirming({});
export type BudgetReopening = Document<typeof BudgetReopening>;

/** A budget's spans as they are now; of a removal as they were. */
export const BudgetChanged = changed(Type.Array(BudgetUseDocument));
export type BudgetChanged = Document<typeof BudgetChanged>;
