import { ledgerStoreConformance } from '../../test/conformance/ledger-store.ts';
import { sqliteOpenings } from '../../test/conformance/sqlite-openings.ts';

for (const [name, open] of Object.entries(sqliteOpenings)) ledgerStoreConformance(name, open);
