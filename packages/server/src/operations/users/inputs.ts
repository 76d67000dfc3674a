import Type from 'typebox';
import { changed, confirming, line } from '../change-shapes.ts';
import { type Document, day, nullable } from '../shapes.ts';

/** `POST /users/erase`; `confirm` is the user's id. */
export const UserErasing = confirming({
  app: Type.String(),
  userId: line(256, "A user's id, as the app names it"),
});
export type UserErasing = Document<typeof UserErasing>;

/** What an erasure came to. */
export const UserErased = changed(
  Type.Object({
    app: Type.String(),
    userId: Type.String(),
    pseudonym: Type.String({ description: 'What stands in the place of the name' }),
    calls: nullable(Type.Integer({ description: 'Records that have it now; null before' })),
    namedUntil: nullable(Type.String({ description: 'When what is not over forgets the name' })),
  }),
);
export type UserErased = Document<typeof UserErased>;

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
