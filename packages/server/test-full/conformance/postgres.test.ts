import { ledgerStoreConformance } from '../../test/conformance/ledger-store.ts';
import { postgresOpenings } from '../../test/conformance/postgres-openings.ts';

for (const [name, open] of Object.entries(postgresOpenings)) ledgerStoreConformance(name, open);
