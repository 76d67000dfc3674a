import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { openStore } from '../packages/server/src/compose/open-store.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import { measurePairs, type PairsRow, prepareStore } from './ledger/pairs.ts';
import { compareReplicas, compareScopes } from './ledger/scopes.ts';
import { newDataFolder } from './processes/data-folder.ts';

// Measures reserve-and-settle pairs a second and the wait for a commit, on both stores, on this
// machine.
const callersOfRounds = [1, 32, 128, 512];
const lastsMs = process.argv.includes('--quick') ? 1_000 : 5_000;
const rounds = process.argv.includes('--quick') ? 1 : 3;
/** Differences of a few percent are compared in many short rounds. */
const alternating = { lastsMs: lastsMs / 5, count: rounds * 5 };
/** Measures only the cost of additional budgets. */
const isOfScopes = process.argv.includes('--scopes');

const folder = newDataFolder();
const postgres = await startOwnPostgres();
try {
  const targets = [
    { kind: 'sqlite', path: join(folder, 'ledger.db') },
    { kind: 'postgres', url: await postgres.database() },
  ] as const;
  for (const target of targets) {
    const onDeath = (error: Error) => {
      throw error;
    };
    const store = await openStore({ target, onDeath, log: silentLog });
    await prepareStore(store);
    await measurePairs({ store, callers: 32, withKeys: true, lastsMs: 1_000 });
    for (const withKeys of isOfScopes ? [] : [false, true]) {
      for (const callers of callersOfRounds) {
        const rows: PairsRow[] = [];
        for (let round = 0; round < rounds; round++) {
          rows.push(await measurePairs({ store, callers, withKeys, lastsMs }));
        }
        print(middleOf(rows));
      }
    }
    await compareScopes(store, alternating);
    if (target.kind === 'postgres') {
      const other = await openStore({ target, onDeath, log: silentLog });
      await compareReplicas([store, other], alternating);
      await other.close();
    }
    await store.close();
  }
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}

function middleOf(rows: PairsRow[]): PairsRow | undefined {
  rows.sort((a, b) => a.pairsPerSecond - b.pairsPerSecond);
  return rows[Math.floor(rows.length / 2)];
}

function print(row: PairsRow | undefined) {
  if (row === undefined) return;
  const { store, callers, withKeys, pairsPerSecond, p50Ms, p99Ms } = row;
  const keys = withKeys ? 'with keys and answers' : 'without keys';
  const figures = `${Math.round(pairsPerSecond)} pairs/s, wait p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  console.log(`${store.padEnd(9)} ${String(callers).padStart(4)} callers, ${keys}: ${figures}`);
}
