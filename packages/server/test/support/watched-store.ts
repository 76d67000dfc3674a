import type { Store } from '../../src/store/port.ts';

/** A store that knows whether it is asked something: a test's clock waits for it. */
export interface WatchedStore extends Store {
  isBusy(): boolean;
}

/** Counts what is asked of a store and was not answered. */
export function watchStore(store: Store): WatchedStore {
  let asked = 0;
  const { acquire, clock, epochs } = store;
  return {
    ...store,
    commit: (batch) => watch(store.commit(batch)),
    read: (query) => watch(store.read(query)),
    readAside: (query) => watch(store.readAside(query)),
    write: (statements) => watch(store.write(statements)),
    close: () => watch(store.close()),
    ...(clock && { clock: { ...clock, measure: () => watch(clock.measure()) } }),
    ...(acquire && { acquire: (requests, now) => watch(acquire(requests, now)) }),
    ...(epochs && {
      epochs: {
        look: () => watch(epochs.look()),
        begin: (storeId) => watch(epochs.begin(storeId)),
        end: () => watch(epochs.end()),
      },
    }),
    isBusy: () => asked > 0,
  };

  async function watch<T>(answer: Promise<T>): Promise<T> {
    asked += 1;
    try {
      return await answer;
    } finally {
      asked -= 1;
    }
  }
}
