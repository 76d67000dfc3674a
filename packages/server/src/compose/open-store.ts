import type { StoreTarget } from '../domain/store-target.ts';
import type { KeyRing } from '../lib/key-ring.ts';
import type { Log } from '../lib/log.ts';
import type { Store, StoreError, StoreShare } from '../store/port/port.ts';
import type { OnLines } from '../store/schema/audit-chain.ts';
import { logLines } from '../store/schema/log-lines.ts';
import { lockSqliteStore } from '../store/sqlite/file/lock.ts';

export interface StoreParts {
  readonly target: StoreTarget;
  readonly log: Log;
  readonly ring?: KeyRing | undefined;
  /** Accepts an empty SQLite store, even where one seems lost. */
  readonly isNew?: boolean | undefined;
  /** Default: logs them. */
  readonly onLines?: OnLines | undefined;
}

/**
 * Brings the schema up to date. Throws a StoreError. After `onDeath` the store is lost for good:
 * the process must end.
 */
export async function openStore(
  parts: StoreParts & {
    readonly onDeath: (error: StoreError) => void;
    /** True with other threads; see {@link Store.share}. */
    readonly isShared?: boolean;
  },
): Promise<Store> {
  const { target, onLines = logLines(parts.log), ...rest } = parts;
  const opening = { ...rest, onLines };
  if (target.kind === 'postgres') return openPostgres(target.url, opening);
  const { openSqliteStore } = await import('../store/sqlite/store.ts');
  return openSqliteStore({ path: target.path, ...opening });
}

export async function joinStore(
  share: StoreShare,
  parts: { readonly onDeath: (error: StoreError) => void; readonly log: Log },
): Promise<Store> {
  const { joinSqliteStore } = await import('../store/sqlite/store.ts');
  return joinSqliteStore(share, parts);
}

/** Avoids an embedded store's thread, which takes longer to start. */
export async function openStoreForCommand(parts: StoreParts): Promise<Store> {
  const { target, onLines = logLines(parts.log), ...rest } = parts;
  const opening = { ...rest, onLines };
  if (target.kind === 'postgres') return openPostgres(target.url, opening);
  const { openCommandStore } = await import('../store/sqlite/command-store.ts');
  return openCommandStore({ path: target.path, ...opening });
}

/** Loaded on use: the driver is as large as the rest of a command. */
async function openPostgres(url: string, parts: Omit<StoreParts, 'target'>): Promise<Store> {
  const { openPostgresStore } = await import('../store/postgres/store.ts');
  const { createPipelineConnections } = await import('../store/postgres/pipeline/pipeline.ts');
  return openPostgresStore({ url, connections: createPipelineConnections, ...parts });
}

/**
 * Only for SQLite: several services may share PostgreSQL. Throws a StoreError when another service
 * has the store.
 */
export function lockStore(
  target: StoreTarget,
  parts: Pick<StoreParts, 'log' | 'isNew'>,
): { close(): void } {
  if (target.kind !== 'sqlite') return { close: () => undefined };
  return lockSqliteStore(target.path, parts);
}
