import type { Restore } from '../domain/restore.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port/port.ts';
import { selectBudgetsRevision } from '../store/queries/budgets.ts';
import { selectRevision } from '../store/queries/registry.ts';
import { type RegistryChanges, selectChanges } from '../store/queries/registry-changes.ts';
import { selectRestore } from '../store/queries/restores.ts';
import { readChanged, readState } from './read-rows.ts';
import { createRegistryState, type RegistryState } from './registry-state.ts';

export interface BudgetsRead {
  readonly revision: bigint;
  readonly restore: Restore | undefined;
}

export interface Following {
  readonly store: Store;
  readonly log: Log;
  readonly company: string;
  /**
   * Called before changes of these apps are read (undefined: all), including changes by this
   * process.
   */
  readonly beforeChange: (apps: ReadonlySet<string> | undefined) => Promise<void>;
}

export interface Follower {
  readonly state: RegistryState;
  readonly budgets: BudgetsRead;
  refresh(): Promise<void>;
}

/** Reads the store's change lines. ADR 0114. */
export function createFollower({ store, log, company, beforeChange }: Following): Follower {
  let revision: bigint | undefined;
  let logged: ReadonlySet<string> = new Set();
  const nothing: BudgetsRead = { revision: 0n, restore: undefined };
  const follower = {
    state: createRegistryState(),
    budgets: nothing,
    refresh: shareReads(readNewChanges),
  };
  return follower;

  async function readNewChanges(): Promise<void> {
    if ((await store.read(selectRevision)) === revision) return;
    const before = await changesSince(revision);
    if (before === undefined) return readAll();
    const apps = new Set([...before.ids.app, ...before.ids.binding]);
    if (apps.size > 0) await beforeChange(apps);
    const changes = await changesSince(revision);
    if (changes === undefined) return readAll();
    await takeOver(changes);
  }

  async function changesSince(since: bigint | undefined): Promise<RegistryChanges | undefined> {
    return since === undefined ? undefined : store.read(selectChanges(since));
  }

  async function readAll(): Promise<void> {
    await beforeChange(undefined);
    // Read before the rows, so a change between the two reads is read twice instead of missed.
    const since = await store.read(selectRevision);
    const budgetsRevision = await store.read(selectBudgetsRevision);
    const restore = await store.readForOperator(selectRestore);
    follower.state = await readState(store, company, restore);
    follower.budgets = { revision: budgetsRevision, restore };
    revision = since;
    // Changes during the reading of pages. If they are unknown, the next poll reads everything.
    const changes = await changesSince(since);
    if (changes !== undefined) await takeOver(changes);
    logShared();
  }

  async function takeOver(changes: RegistryChanges): Promise<void> {
    // Read before the rows, as above: a reservation under newer definitions is decided again.
    const budgetsRevision = await store.read(selectBudgetsRevision);
    const rows = await readChanged(store, company, changes);
    follower.state.change(changes.ids, rows);
    follower.budgets = { revision: budgetsRevision, restore: rows.restore };
    revision = changes.revision;
    logShared();
  }

  /** Logs each fault once while it lasts; calls of these apps are rejected. */
  function logShared(): void {
    const sentences = follower.state.sharedSentences();
    for (const sentence of sentences) if (!logged.has(sentence)) log.error({}, sentence);
    logged = sentences;
  }
}

/** Callers during a read share the next read. */
function shareReads(read: () => Promise<void>): () => Promise<void> {
  let current = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        current = read();
        return current;
      });
    return next;
  };
}
