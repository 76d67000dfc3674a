import Type from 'typebox';
import type { Document, Page } from './shapes.ts';

export const Found = Type.Object({
  kind: Type.Enum(['app', 'key', 'user', 'call', 'run', 'model']),
  label: Type.String(),
  href: Type.String(),
});
export type Found = Document<typeof Found>;

/** `GET /find`. */
export const FoundItems = Type.Array(Found);
export type FoundPage = Page<Found>;
