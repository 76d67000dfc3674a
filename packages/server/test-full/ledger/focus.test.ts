import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { testFocus } from '../../test/conformance/focus.ts';

describe('FOCUS files on SQLite', () => {
  let store: Store;
  beforeAll(() => {
    store = openDirectStore(':memory:');
  });
  afterAll(() => store.close());

  testFocus(() => store, 200);
});
