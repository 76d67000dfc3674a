import Type from 'typebox';
import { type Document, nullable } from './shapes.ts';

export const UserErased = Type.Object({
  app: Type.String(),
  userId: Type.String(),
  pseudonym: Type.String({ description: 'What stands in the place of the name' }),
  calls: nullable(Type.Integer({ description: 'Records that have it now; null before' })),
  namedUntil: nullable(Type.String({ description: 'When what is not over forgets the name' })),
});
export type UserErased = Document<typeof UserErased>;
