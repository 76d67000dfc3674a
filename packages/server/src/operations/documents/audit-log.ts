import Type from 'typebox';
import { type Document, instant, nullable, pageOf } from './shapes.ts';

export const LineDocument = Type.Object({
  id: Type.String(),
  at: instant,
  actor: Type.String(),
  action: Type.String(),
  subject: Type.String(),
  before: nullable(Type.String()),
  after: nullable(Type.String()),
  reason: nullable(Type.String()),
  reference: nullable(Type.String()),
  callId: nullable(Type.String()),
  via: nullable(Type.String()),
});
export type LineDocument = Document<typeof LineDocument>;

/** `GET /audit-log`, newest first. */
export const LinesPage = pageOf(LineDocument);
export type LinesPage = Document<typeof LinesPage>;
