import Type from 'typebox';
import { count, type Document, nullable, pageOf } from '../shapes.ts';

/** A hook, and what became of what it was to be told. */
export const HookDocument = Type.Object({
  name: Type.String(),
  state: Type.Enum(['on', 'gone', 'left']),
  origin: nullable(Type.String()),
  format: nullable(Type.Enum(['standard', 'slack', 'teams'])),
  events: Type.Array(Type.String()),
  at: Type.Array(Type.Number()),
  apps: nullable(Type.Array(Type.String())),
  delivered: count,
  waiting: count,
  dead: count,
  lastError: nullable(Type.String()),
});
export type HookDocument = Document<typeof HookDocument>;

/** `GET /webhooks`. */
export const HooksPage = pageOf(HookDocument);
export type HooksPage = Document<typeof HooksPage>;
