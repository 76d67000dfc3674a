import Type from 'typebox';
import { changed, confirming } from '../change-shapes.ts';
import { type Document, day, nullable } from '../shapes.ts';

/** `POST /days/prune`; `confirm` is the day. */
export const CallsPruning = confirming({ before: day });
export type CallsPruning = Document<typeof CallsPruning>;

/** What a prune came to. */
export const CallsPruned = changed(
  Type.Object({
    prunedBefore: nullable(Type.String({ description: 'No record of a day before it is left' })),
    calls: Type.Integer({ description: 'How many records were deleted, or would be' }),
    keptFor: nullable(
      Type.Enum(['hold', 'key', 'sums'], { description: 'Why it ends before the day asked for' }),
    ),
  }),
);
export type CallsPruned = Document<typeof CallsPruned>;
