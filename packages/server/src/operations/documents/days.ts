import Type from 'typebox';
import { BudgetDocument } from './budgets.ts';
import { count, type Document, day, nullable, usd } from './shapes.ts';

export const DaysClosed = Type.Array(
  Type.Object({
    app: Type.String(),
    day,
    callId: Type.Union([Type.String(), Type.Null()], {
      description:
        'Id of its record, also that of an earlier closing with the same reference; null in a plan',
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
  prunedBefore: nullable(Type.String({ description: 'All records of earlier days are deleted' })),
  calls: Type.Integer({
    description: 'Number of deleted records; in a plan, of records to delete',
  }),
  retainedBecause: Type.Union([Type.Enum(['hold', 'key', 'sums']), Type.Null()], {
    was: 'keptFor',
    description: 'Why pruning ends before the requested day; null if it does not',
  }),
});
export type CallsPruned = Document<typeof CallsPruned>;
