import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decide } from '../../src/books/decide.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { createStoreSubject } from '../../test/conformance/subject.ts';
import { wordOf } from '../../test/conformance/table.ts';
import { createMemorySubject } from '../../test/ledger/memory-subject.ts';
import { ledgerProperty } from '../../test/ledger/model.ts';
import { coreProof, proofTimeoutMs, prove } from '../../test/ledger/proof-size.ts';
import { apps } from '../../test/ledger/steps.ts';

const timeout = proofTimeoutMs;

test('the core by itself matches the oracle', { timeout }, async () => {
  const property = ledgerProperty(async () => createMemorySubject(decide), coreProof.steps);
  await prove(property, coreProof.runs);
});

test('SQLite without a thread matches the oracle', { timeout }, async () => {
  await onStore(openDirectStore(':memory:'), { steps: 16, runs: 2_000 });
});

test('SQLite on its thread and a disk matches the oracle', { timeout }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-model-'));
  const onDeath = (error: Error) => {
    throw error;
  };
  try {
    const store = await openSqliteStore({
      path: join(folder, 'gateway.db'),
      onDeath,
      log: silentLog,
    });
    await onStore(store, { steps: 30, runs: 100 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function onStore(store: Store, { steps, runs }: { steps: number; runs: number }) {
  try {
    await prove(
      ledgerProperty(() => createStoreSubject(store, apps), steps),
      runs,
    );
  } finally {
    await store.close();
  }
}

test('the runs cover every answer of the ledger', { timeout }, async () => {
  const met = new Set<string>();
  const property = ledgerProperty(async () => {
    const subject = createMemorySubject(decide);
    return {
      ...subject,
      async commit(batch) {
        const results = await subject.commit(batch);
        for (const [index, result] of results.entries()) {
          const word = wordOf(result).replaceAll(/[\d-]+|call/g, '');
          met.add(`${batch[index]?.kind} ${word.trim()}`);
        }
        return results;
      },
    };
  }, coreProof.steps);
  await prove(property, 600);
  expect([...met]).toEqual(expect.arrayContaining([...answers]));
});

const answers = [
  'reserve reserved',
  'reserve BUDGET_EXCEEDED',
  'reserve INSUFFICIENT_CREDITS',
  'reserve outdatedbudgets',
  'reserve attach',
  'reserve mismatch',
  'reserve unstored',
  'reserve invalid',
  'extend extended',
  'extend notextended',
  'settle settled',
  'settle settled, bad',
  'settle settled, taken by',
  'settle orphan',
  'settle orphan, taken by',
  'settle invalid',
  'expire expired',
  'expire endedbefore',
  'correct corrected from',
  'correct no',
  'reprice repriced',
  'reprice notrepriced',
  'top-up toppedup',
  'top-up only',
  'top-up invalid',
] as const;
