import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/until.ts';
import type { Account, BookedCall, Books } from '../../packages/lab/src/attack/books/books.ts';
import { type Ledger, readLedger } from '../../packages/lab/src/attack/books/ledger.ts';
import { billedCalls, readBill } from '../../packages/lab/src/attack/books/platform.ts';
import { type Verdict, verdict } from '../../packages/lab/src/attack/verdict.ts';
import { openStore } from '../../packages/server/src/compose/open-store.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { silentLog } from '../../packages/server/src/lib/log.ts';
import type { Store } from '../../packages/server/src/store/port/port.ts';
import type { LoadApp } from './gateway.ts';
import { type Load, walletApp } from './load.ts';

/** Reads three records: the platform's bill, the ledger, and the callers' responses. */
export async function readBooks(parts: {
  readonly storeUrl: string;
  readonly simulatorUrl: string;
  readonly apps: readonly LoadApp[];
  readonly load: Load;
}): Promise<Verdict> {
  const { simulatorUrl, apps, load } = parts;
  const ledger = await withStore(parts.storeUrl, async (store) => {
    await until(async () => (await holdsOf(store)) === 0);
    return readLedger(store, systemClock.now());
  });
  const accounts = apps.map(({ name, capPicoUsd }): Account => ({ name, app: name, capPicoUsd }));
  const bill = await readBill(simulatorUrl);
  const { billed, broken } = billedCalls(bill, accounts);
  return verdict({
    ...{ accounts, billed, booked: bookedBy(ledger, load) },
    // The wallets' callers call until their wallet is empty.
    callResults: load.callResults.filter(
      (call) => call.kind !== 'denied' || call.code !== 'INSUFFICIENT_CREDITS',
    ),
    crowds: [],
    ...{ scopes: walletBooks(apps, load), budgets: [], corrections: new Map() },
    held: ledger.holds.map(({ app, picoUsd }) => ({ account: app, picoUsd })),
    broken: [...broken, ...ledger.broken],
  });
}

/** Every wallet is a separate budget. */
function walletBooks(apps: readonly LoadApp[], { wallets }: Load): Books['scopes'] {
  const capPicoUsd = apps.find(({ name }) => name === walletApp)?.grantPicoUsd ?? 0n;
  const nobody: ReadonlySet<string> = new Set();
  return [...wallets].map(([name, labels]) => ({
    ...{ name, capPicoUsd, labels },
    ...{ crowd: nobody, fits: 0 },
  }));
}

function bookedBy({ calls }: Ledger, { callResults }: Load): readonly BookedCall[] {
  const labels = new Map(
    callResults.map(({ label }) => [hash('sha256', label, 'base64url'), label]),
  );
  return calls.map((call) => {
    const label = call.keyHash === undefined ? undefined : labels.get(call.keyHash);
    return { ...call, account: call.app, label };
  });
}

/**
 * Opens the store as an operator does for one piece of work, and repeats it while the store is
 * away.
 */
async function withStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  const onDeath = (error: Error) => {
    throw error;
  };
  for (let tries = 1; ; tries++) {
    try {
      const store = await openStore({ target: { kind: 'postgres', url }, onDeath, log: silentLog });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    } catch (error) {
      if (tries === 10) throw error;
      await sleep(1_000);
    }
  }
}

function holdsOf(store: Store): Promise<number> {
  return store.read({
    sql: 'select call_id from hold limit 1',
    values: [],
    map: (rows) => rows.length,
  });
}
