import { test } from 'vitest';
import { openDirectStore } from '../../src/store/sqlite/direct-store.ts';
import { rolledProperty } from '../conformance/rolled.ts';
import { createStoreSubject } from '../conformance/subject.ts';
import { proofTimeoutMs, prove } from './proof-size.ts';
import { apps } from './steps.ts';

const timeout = proofTimeoutMs;

test('reports on SQLite are what the records come to', { timeout }, async () => {
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
