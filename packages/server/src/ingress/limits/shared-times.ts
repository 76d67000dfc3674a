import { createAppMemory, createAppRows, ofAll } from './app-rows.ts';
import { type AppTime, type AppTimes, boundedDebt } from './processor-shares.ts';

/** Per app: the hash of its name, its debt in microseconds, and the time of its last request. */
const fields = 3;
const [ofDebt, ofLastRequest] = [1, 2];

export function createTimesMemory(): SharedArrayBuffer {
  return createAppMemory(fields);
}

/** One thread's view of the times that all threads with this memory share. */
export function createSharedTimes(memory: SharedArrayBuffer): AppTimes {
  const all = new Int32Array(memory);
  const rows = createAppRows(all, fields);
  const known = new Map<string, AppTime>();
  return {
    known,
    of(app) {
      const time = known.get(app) ?? createSharedTime(all, rows.of(app));
      known.set(app, time);
      return time;
    },
    all: () => rows.list().map((row) => createSharedTime(all, row)),
    payUntil: (tick) => Atomics.exchange(all, ofAll, tick),
  };
}

function createSharedTime(all: Int32Array, row: number): AppTime {
  return {
    get debtMicros() {
      return Atomics.load(all, row + ofDebt);
    },
    get lastRequestTick() {
      return Atomics.load(all, row + ofLastRequest);
    },
    set lastRequestTick(tick) {
      Atomics.store(all, row + ofLastRequest, tick);
    },
    change(by) {
      for (;;) {
        const debt = Atomics.load(all, row + ofDebt);
        const next = boundedDebt(debt + by);
        if (Atomics.compareExchange(all, row + ofDebt, debt, next) === debt) return;
      }
    },
  };
}
