import Type from 'typebox';
import { type Document, pageOf } from '../shapes.ts';

/** Something that a text may mean. */
export const Found = Type.Object({
  kind: Type.Enum(['app', 'key', 'user', 'call', 'run', 'model']),
  label: Type.String(),
  href: Type.String(),
});
export type Found = Document<typeof Found>;

/** `GET /find`. */
export const FoundPage = pageOf(Found);
export type FoundPage = Document<typeof FoundPage>;
