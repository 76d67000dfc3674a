import Type from 'typebox';
import { count, type Document } from './shapes.ts';

export const StoreCopy = Type.Object({ store: Type.String(), file: Type.String(), bytes: count });
export type StoreCopy = Document<typeof StoreCopy>;

export const ScrubResult = Type.Object({ store: Type.String(), bytes: count });
export type ScrubResult = Document<typeof ScrubResult>;

/** The newest migration. */
export const StoreVersion = Type.Object({
  store: Type.Enum(['sqlite', 'postgres']),
  schemaVersion: count,
});
