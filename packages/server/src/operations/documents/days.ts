import Type from 'typebox';
import { BudgetDocument } from './budgets.ts';
import { count, type Document, day, nullable, usd } from './shapes.ts';

export const DaysClosed = Type.Array(
  Type.Object({
    app: Type.String(),
    day,
    callId: Type.Union([Type.String(), Type.Null()], {
      description: 'Its record, also of an earlier closing with the reference; null of a plan',
    }),
    bookedUsd: usd,
  }),
);
export type DaysClosed = Document<typeof DaysClosed>;

export const DaysReopened = Type.Array(
  Type.Object({ app: Type.String(), day, callId: Type.String(), freedUsd: usd }),
);
export type DaysReopened = Document<typeof DaysReopened>;

export const AllReopened = Type.Object({
  opensBudgets: Type.Boolean(),
  budgets: Type.Array(BudgetDocument),
  runs: count,
  days: DaysReopened,
});
export type AllReopened = Document<typeof AllReopened>;

export const CallsPruned = Type.Object({
  prunedBefore: nullable(Type.String({ description: 'No record of a day before it is left' })),
  calls: Type.Integer({ description: 'How many records were deleted, or would be' }),
  keptFor: nullable(
    Type.Enum(['hold', 'key', 'sums'], { description: 'Why it ends before the day asked for' }),
  ),
});
export type CallsPruned = Document<typeof CallsPruned>;
