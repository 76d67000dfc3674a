import { parentPort, workerData } from 'node:worker_threads';
import { silentLog } from '../../../src/lib/silent-log.ts';
import { joinSqliteStore } from '../../../src/store/sqlite/store.ts';
import type { CallerResult, CallerWork } from './caller.ts';
import { ledgerOn, reservation, settlement } from './load.ts';

// Makes calls on a shared store, like the queue and the ledger of a request thread.
const { calls, callers, amount, cost }: CallerWork = workerData.work;
const store = joinSqliteStore(workerData.share, {
  log: silentLog,
  onDeath(error) {
    throw error;
  },
});
const ledger = ledgerOn(store);
const settled: [string, string][] = [];
let refused = 0;
let remaining = calls;

async function call() {
  for (; remaining > 0; ) {
    remaining -= 1;
    const reserved = reservation({ app: 'search', amount: BigInt(amount) });
    const outcome = await ledger.reserve(reserved, () => false);
    if (outcome?.kind !== 'reserved') refused += 1;
    else {
      await ledger.settle(settlement(reserved, BigInt(cost)));
      settled.push([reserved.facts.callId, cost]);
    }
  }
}

await Promise.all(Array.from({ length: callers }, call));
await store.close();
parentPort?.postMessage({ settled, refused } satisfies CallerResult);
