import Type from 'typebox';
import { count, type Document, instant, nullable } from './shapes.ts';

export const Refusal = Type.Object({
  at: Type.String({ format: 'date-time', description: 'The start of the UTC hour' }),
  app: Type.String({ description: 'Of a rejected key that belongs to no app: `-`' }),
  code: Type.String({ description: 'Of a rejected key with its reason: `FORBIDDEN:unknown`' }),
  count,
  lastAt: instant,
  lastMessage: Type.String({
    description:
      'The sentence of the last response; for a rejected key why, where and from which network',
  }),
  lastRequestId: nullable(Type.String()),
});
export type Refusal = Document<typeof Refusal>;

/** `GET /apps/:app/refusals`, newest hour first. */
export const Refusals = Type.Array(Refusal);
