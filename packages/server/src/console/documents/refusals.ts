import Type from 'typebox';
import { count, type Document, instant, nullable, pageOf } from './shapes.ts';

/** Requests of an app that were refused for one reason within an hour. */
export const Refusal = Type.Object({
  at: Type.String({ format: 'date-time', description: 'The start of the UTC hour' }),
  app: Type.String(),
  code: Type.String(),
  count,
  lastAt: instant,
  lastMessage: Type.String({ description: 'As the last caller was told it' }),
  lastRequestId: nullable(Type.String()),
});
export type Refusal = Document<typeof Refusal>;

/** `GET /apps/:app/refusals`: the newest hour first. */
export const RefusalsPage = pageOf(Refusal);
export type RefusalsPage = Document<typeof RefusalsPage>;
