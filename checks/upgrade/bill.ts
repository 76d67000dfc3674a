import { until } from '../../harness/until.ts';
import { readLedger } from '../../packages/lab/src/attack/books/ledger.ts';
import { readBill } from '../../packages/lab/src/attack/books/platform.ts';
import { openStore } from '../../packages/server/src/compose/open-store.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { silentLog } from '../../packages/server/src/lib/log.ts';
import { formatUsd } from '../../packages/server/src/lib/money.ts';
import { expect } from '../image/steps.ts';
import type { Setting } from './versions.ts';

/**
 * Waits until nothing is reserved, and compares the ledger with the simulator's bill, call by call.
 * The estimates of killed calls must cover the rest of the bill.
 */
export async function expectBilled({ storeUrl, simulatorUrl }: Setting): Promise<string> {
  const store = await openStore({ target: targetOf(storeUrl), onDeath, log: silentLog });
  try {
    const read = () => readLedger(store, systemClock.now());
    await until(async () => (await read()).holds.length === 0);
    const { calls, broken } = await read();
    expect(broken.length === 0, broken.join('; '));
    const bill = await readBill(simulatorUrl);
    const billed = new Map(
      bill.calls.map(({ requestId, costPicoUsd }) => [requestId, BigInt(costPicoUsd)]),
    );
    let spent = 0n;
    let estimated = 0n;
    for (const { callId, picoUsd, estimatedPicoUsd, attempts } of calls) {
      const own = attempts.map(({ requestId = '' }) => billed.get(requestId) ?? 0n);
      const sum = own.reduce((total, cost) => total + cost, 0n);
      for (const { requestId = '' } of attempts) billed.delete(requestId);
      spent += picoUsd;
      estimated += estimatedPicoUsd;
      if (estimatedPicoUsd > 0n) continue;
      expect(sum === picoUsd, `${callId} has cost ${sum} pico-USD, and ${picoUsd} are booked`);
    }
    const lost = [...billed.values()].reduce((total, cost) => total + cost, 0n);
    expect(lost <= estimated, `${lost} pico-USD were billed and not booked`);
    return `${calls.length} calls, ${formatUsd(spent)} USD, of which ${formatUsd(estimated)} estimated`;
  } finally {
    await store.close();
  }
}

function targetOf(url: string) {
  const [, path] = url.split('sqlite:');
  return path === undefined
    ? ({ kind: 'postgres', url } as const)
    : ({ kind: 'sqlite', path } as const);
}

function onDeath(error: Error): never {
  throw error;
}
