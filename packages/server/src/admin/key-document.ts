import { roleOf } from '../domain/key-name.ts';
import type { ApiKeyRow } from '../store/queries/registry.ts';

/** A key as operators read it: never the key itself, nor its hash. */
export interface KeyDocument {
  readonly id: string;
  readonly name: string;
  readonly customerId: string;
  /** Null for a name off the convention, or of another customer: its calls get 401. */
  readonly role: 'user' | 'admin' | null;
  /** The app that the name names; absent for a name off the convention. */
  readonly app?: string;
  readonly enabled: boolean;
  readonly createdAt: string;
}

/** What `keys list` and `keys disable` print of a key. */
export function keyDocument(row: ApiKeyRow): KeyDocument {
  const { id, name, customerId, parsed } = row;
  return {
    id,
    name,
    customerId,
    role: roleOf(row) ?? null,
    ...(parsed !== undefined && { app: parsed.app }),
    enabled: row.isEnabled,
    createdAt: new Date(row.createdAt).toISOString(),
  };
}
