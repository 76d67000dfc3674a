import { hashOf } from '../../lib/hash.ts';

/** Leading numbers: one for the memory's owner, and the row count. */
const heads = 2;
export const ofAll = 0;
const countIndex = 1;

/** Above this number apps share rows, and count as one. */
const appsMax = 4_096;

/** The threads of a process share it; each app has one row. */
export function createAppMemory(fields: number, apps = appsMax): SharedArrayBuffer {
  return new SharedArrayBuffer((heads + apps * (fields + 1)) * Int32Array.BYTES_PER_ELEMENT);
}

/** A row's first number is the app name's hash. */
export interface AppRows {
  /** Creates the row on first use. */
  of(app: string): number;
  /** Used by this thread. */
  readonly known: ReadonlyMap<string, number>;
  /** Created by any thread. */
  list(): readonly number[];
}

export function createAppRows(all: Int32Array, fields: number): AppRows {
  const apps = (all.length - heads) / (fields + 1);
  const first = heads + apps;
  const known = new Map<string, number>();
  return {
    known,
    of(app) {
      const row = known.get(app) ?? find(app);
      known.set(app, row);
      return row;
    },
    list() {
      const count = Math.min(apps, Atomics.load(all, countIndex));
      const listed = Array.from({ length: count }, (_, index) => Atomics.load(all, heads + index));
      // A row that is being created is not listed yet.
      return listed.filter((row) => row > 0);
    },
  };

  function find(app: string): number {
    const name = hashOf(app) | 0 || 1;
    const home = (name >>> 0) % apps;
    for (let step = 0; step < apps; step++) {
      const row = first + ((home + step) % apps) * fields;
      const previous = Atomics.compareExchange(all, row, 0, name);
      if (previous === 0) Atomics.store(all, heads + Atomics.add(all, countIndex, 1), row);
      if (previous === 0 || previous === name) return row;
    }
    return first + home * fields;
  }
}
