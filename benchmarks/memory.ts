import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { openStore } from '../packages/server/src/compose/open-store.ts';
import { createLedger } from '../packages/server/src/ledger/ledger.ts';
import { createLedgerQueue } from '../packages/server/src/ledger/queue.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import { int } from '../packages/server/src/store/schema/columns.ts';
import { measurePairs, prepareStore } from './ledger/pairs.ts';
import { newDataFolder } from './processes/data-folder.ts';

// Measures the memory of one process that has many open reservations, with many stored responses on
// disk.
const openCalls = 10_000;
const storedAnswers = 100_000;
const folder = newDataFolder();
const target = { kind: 'sqlite', path: join(folder, 'ledger.db') } as const;
const onDeath = (error: Error) => {
  throw error;
};
const store = await openStore({ target, onDeath, log: silentLog });
try {
  await prepareStore(store);
  while ((await count('select count(*) as n from answer')) < storedAnswers) {
    await measurePairs({ store, callers: 512, withKeys: true, lastsMs: 1_000 });
  }
  const clock = systemClock;
  const ids = createIds(clock);
  const queue = createLedgerQueue({ store, clock, batchMax: 256 });
  const ledger = createLedger({ queue, clock, log: silentLog });
  const now = clock.now();
  const reserveOne = () => {
    const call = { callId: ids.call(), app: 'search', day: '2026-11-21', month: undefined };
    const model = { route: 'chat', model: 'bench', usageModel: 'bench', priceVersion: 'v1' };
    const facts = {
      ...call,
      ...model,
      userId: undefined,
      keyHash: undefined,
      keyId: 'bench',
      remote: '192.0.2.0/24',
      trace: undefined,
      platform: 'sandbox',
      startedAt: now,
    };
    const budgets = { scopes: [], budgetsRevision: 0n };
    const reservation = {
      facts,
      amount: 1n,
      wallet: undefined,
      idempotency: undefined,
      ...budgets,
    };
    return ledger.reserve(
      { ...reservation, instanceId: 'bench', expiresAt: now + 1e6, now },
      () => false,
    );
  };
  await Promise.all(Array.from({ length: openCalls }, reserveOne));
  const holds = await count('select count(*) as n from hold');
  const answers = await count('select count(*) as n from answer');
  const mebibytes = Math.round(process.memoryUsage.rss() / 2 ** 20);
  console.log(`${holds} open reservations, ${answers} stored answers: ${mebibytes} MiB resident`);
} finally {
  await store.close();
  await rm(folder, { recursive: true, force: true });
}

function count(sql: string): Promise<number> {
  return store.read({ sql, values: [], map: ([row]) => (row === undefined ? 0 : int(row, 'n')) });
}
