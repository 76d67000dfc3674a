import type { StoreTarget } from '../domain/store-target.ts';
import type { KeyRing } from '../lib/key-ring.ts';
import type { Log } from '../lib/log.ts';
import type { OnLines } from './audit-chain.ts';
import { logLines } from './log-lines.ts';
import type { Store, StoreError, StoreShare } from './port.ts';
import { lockSqliteStore } from './sqlite/lock.ts';

/** What opens a store. */
export interface StoreParts {
  readonly target: StoreTarget;
  readonly log: Log;
  /** The operator's. */
  readonly ring?: KeyRing | undefined;
  /** Whether an operator wants an empty SQLite store, even where one seems to be lost. */
  readonly isNew?: boolean | undefined;
  /** Told of lines of the audit log that were written; they are logged unless told otherwise. */
  readonly onLines?: OnLines | undefined;
}

/**
 * Opens the configured store with its schema up to date. Throws a StoreError that says why it
 * cannot. `onDeath` is called when the store is lost for good: the process must end.
 */
export async function openStore(
  parts: StoreParts & {
    readonly onDeath: (error: StoreError) => void;
    /** Whether further threads of this process are to share it; see {@link Store.share}. */
    readonly isShared?: boolean;
  },
): Promise<Store> {
  const { target, onLines = logLines(parts.log), ...rest } = parts;
  const opening = { ...rest, onLines };
  if (target.kind === 'postgres') return openPostgres(target.url, opening);
  const { openSqliteStore } = await import('./sqlite/store.ts');
  return openSqliteStore({ path: target.path, ...opening });
}

/** A store that another thread of this process has opened, and shares with this one. */
export async function joinStore(
  share: StoreShare,
  parts: { readonly onDeath: (error: StoreError) => void; readonly log: Log },
): Promise<Store> {
  const { joinSqliteStore } = await import('./sqlite/store.ts');
  return joinSqliteStore(share, parts);
}

/** The same for one command: an embedded store gets no thread of its own, which takes longer. */
export async function openStoreForCommand(parts: StoreParts): Promise<Store> {
  const { target, onLines = logLines(parts.log), ...rest } = parts;
  const opening = { ...rest, onLines };
  if (target.kind === 'postgres') return openPostgres(target.url, opening);
  const { openCommandStore } = await import('./sqlite/command-store.ts');
  return openCommandStore({ path: target.path, ...opening });
}

/** Loaded only where it is used: its driver is as much to load as all the rest of a command. */
async function openPostgres(url: string, parts: Omit<StoreParts, 'target'>): Promise<Store> {
  const { openPostgresStore } = await import('./postgres/store.ts');
  return openPostgresStore({ url, ...parts });
}

/**
 * Makes this process the one service on an embedded store; several may serve a PostgreSQL. Throws a
 * StoreError when another service has it.
 */
export function lockStore(
  target: StoreTarget,
  parts: Pick<StoreParts, 'log' | 'isNew'>,
): { close(): void } {
  if (target.kind !== 'sqlite') return { close: () => undefined };
  return lockSqliteStore(target.path, parts);
}
