import { test } from 'vitest';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { rolledProperty } from '../../test/conformance/rolled.ts';
import { createStoreSubject } from '../../test/conformance/subject.ts';
import { proofTimeoutMs, prove } from '../../test/ledger/proof-size.ts';
import { apps } from '../../test/ledger/steps.ts';

const timeout = proofTimeoutMs;

test('reports on SQLite equal the sum of the records', { timeout }, async () => {
  const store = openDirectStore(':memory:');
  try {
    await prove(
      rolledProperty(() => createStoreSubject(store, apps), store, 16),
      600,
    );
  } finally {
    await store.close();
  }
});
