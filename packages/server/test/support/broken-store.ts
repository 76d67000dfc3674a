import type { Operation } from '../../src/books/operations.ts';
import { type OperationResult, type Store, StoreError } from '../../src/store/port/port.ts';

/** A store that fails on request. */
export interface BrokenStore {
  /** For `wrapStore`. */
  readonly wrap: (store: Store) => Store;
  /** Fails commits that contain one of these operations, before they are made. */
  fail(kinds: readonly Operation['kind'][]): void;
  /** Like {@link fail}, but after they are made: the caller cannot determine whether they were. */
  failAfter(kinds: readonly Operation['kind'][]): void;
  /** Fails commits and writes; reads continue, as with a full disk. */
  fillDisk(): void;
  /** Fails everything, reads and writes too. */
  disappear(): void;
  mend(): void;
  /** Commits that were made to fail. */
  failures(): number;
}

/** A store that works until a failure is set. */
export function createBrokenStore(): BrokenStore {
  let before: readonly string[] = [];
  let after: readonly string[] = [];
  let isUnavailable = false;
  let isFull = false;
  let failures = 0;
  return {
    wrap: (store) => ({
      ...store,
      commit: (batch) => commit(store, batch),
      read: (query) => (isUnavailable ? away() : store.read(query)),
      readForOperator: (query) => (isUnavailable ? away() : store.readForOperator(query)),
      write: (statements) => (isUnavailable || isFull ? away() : store.write(statements)),
    }),
    fail(kinds) {
      before = kinds;
    },
    failAfter(kinds) {
      after = kinds;
    },
    fillDisk() {
      isFull = true;
    },
    disappear() {
      isUnavailable = true;
    },
    mend() {
      before = [];
      after = [];
      isUnavailable = false;
      isFull = false;
    },
    failures: () => failures,
  };

  async function commit(
    store: Store,
    batch: readonly Operation[],
  ): Promise<readonly OperationResult[]> {
    if (isUnavailable || isFull || names(batch, before)) return away();
    const results = await store.commit(batch);
    return names(batch, after) ? away() : results;
  }

  function away(): Promise<never> {
    failures += 1;
    return Promise.reject(new StoreError('disk I/O error at /var/lib/gateway.db'));
  }
}

function names(batch: readonly Operation[], kinds: readonly string[]): boolean {
  return batch.some(({ kind }) => kinds.includes(kind));
}
