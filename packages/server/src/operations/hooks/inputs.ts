import Type from 'typebox';
import { type Document, nullable } from '../shapes.ts';

/** The body of `POST /webhooks/:name/test`: it changes nothing, and needs no reason. */
export const HookTesting = Type.Object({}, { additionalProperties: false });
export type HookTesting = Document<typeof HookTesting>;

/** What the receiver said. */
export const HookTested = Type.Object({
  hook: Type.String(),
  id: Type.String({ description: 'What the receiver knows the test by' }),
  isDelivered: Type.Boolean(),
  status: nullable(Type.Integer()),
  words: Type.String({ description: "The receiver's own words, at most its first kilobyte" }),
  error: nullable(Type.String()),
});
export type HookTested = Document<typeof HookTested>;
