import { ledgerStoreConformance } from './ledger-store.ts';
import { sqliteOpenings } from './sqlite-openings.ts';

// The second tier opens the store in every way.
for (const name of ['SQLite on its thread', 'SQLite without a thread'] as const) {
  ledgerStoreConformance(name, sqliteOpenings[name]);
}
