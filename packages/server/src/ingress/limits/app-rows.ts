import { hashOf } from '../../lib/hash.ts';

/** Of all rows: a number for the owner of the memory, and how many rows are taken. */
const heads = 2;
/** The number for the owner of the memory. */
export const ofAll = 0;
const atTaken = 1;

/** Apps that have a row of their own; beyond so many, some share one and are counted as one. */
const appsMax = 4_096;

/** Memory in which the threads of a process have a row of so many numbers for each app. */
export function createAppMemory(fields: number, apps = appsMax): SharedArrayBuffer {
  return new SharedArrayBuffer((heads + apps * (fields + 1)) * Int32Array.BYTES_PER_ELEMENT);
}

/** Where the row of each app is; its first number is the hash of the app's name. */
export interface AppRows {
  /** The row of an app, which is made when it is first asked for. */
  of(app: string): number;
  /** Rows that this thread has asked for. */
  readonly known: ReadonlyMap<string, number>;
  /** Rows that any thread has made. */
  taken(): readonly number[];
}

/** One thread's way to the rows. */
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
    taken() {
      const count = Math.min(apps, Atomics.load(all, atTaken));
      const listed = Array.from({ length: count }, (_, index) => Atomics.load(all, heads + index));
      // One that is being made is not listed yet.
      return listed.filter((row) => row > 0);
    },
  };

  function find(app: string): number {
    const name = hashOf(app) | 0 || 1;
    const home = (name >>> 0) % apps;
    for (let step = 0; step < apps; step++) {
      const row = first + ((home + step) % apps) * fields;
      const found = Atomics.compareExchange(all, row, 0, name);
      if (found === 0) Atomics.store(all, heads + Atomics.add(all, atTaken, 1), row);
      if (found === 0 || found === name) return row;
    }
    return first + home * fields;
  }
}
