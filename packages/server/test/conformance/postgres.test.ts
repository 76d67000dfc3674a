import { ledgerStoreConformance } from './ledger-store.ts';
import { postgresOpenings } from './postgres-openings.ts';

// The second tier opens the store in every way.
ledgerStoreConformance('PostgreSQL', postgresOpenings.PostgreSQL);
