import Type from 'typebox';
import { count, type Document } from './shapes.ts';

export const StoreCopy = Type.Object({ store: Type.String(), file: Type.String(), bytes: count });
export type StoreCopy = Document<typeof StoreCopy>;

export const Scrubbed = Type.Object({ store: Type.String(), bytes: count });
export type Scrubbed = Document<typeof Scrubbed>;

/** The newest migration. */
export const StoreVersion = Type.Object({
  store: Type.Enum(['sqlite', 'postgres']),
  schemaVersion: count,
});
