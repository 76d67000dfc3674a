// Writes the generated tables of docs/errors.md and docs/monitoring.md. A test compares them.
import { writeFileSync } from 'node:fs';
import { tableDocuments } from './table-documents.ts';

for (const [path, text] of tableDocuments()) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
