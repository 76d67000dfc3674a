import type { Store } from '../../src/store/port/port.ts';

/** A store whose responses a test's clock waits for. */
export interface WatchedStore extends Store {
  /** The next response; undefined while nothing is pending. */
  pending(): Promise<void> | undefined;
}

/** The next response of the first store with a pending one. */
export function pendingOf(stores: readonly WatchedStore[]): Promise<void> | undefined {
  return stores.find((store) => store.pending() !== undefined)?.pending();
}

/** Counts the requests that a store has not answered. */
export function watchStore(store: Store): WatchedStore {
  let pendingCount = 0;
  let next = Promise.withResolvers<void>();
  const { acquire, clock, epochs } = store;
  return {
    ...store,
    commit: (batch) => watch(store.commit(batch)),
    read: (query) => watch(store.read(query)),
    readForOperator: (query) => watch(store.readForOperator(query)),
    write: (statements) => watch(store.write(statements)),
    close: () => watch(store.close()),
    ...(clock && { clock: { ...clock, measure: () => watch(clock.measure()) } }),
    ...(acquire && { acquire: (requests, now) => watch(acquire(requests, now)) }),
    ...(epochs && {
      epochs: {
        readOrigin: () => watch(epochs.readOrigin()),
        begin: (storeId) => watch(epochs.begin(storeId)),
        end: () => watch(epochs.end()),
      },
    }),
    pending: () => (pendingCount > 0 ? next.promise : undefined),
  };

  async function watch<T>(answer: Promise<T>): Promise<T> {
    pendingCount += 1;
    try {
      return await answer;
    } finally {
      pendingCount -= 1;
      next.resolve();
      next = Promise.withResolvers();
    }
  }
}
