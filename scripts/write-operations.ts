// Writes the generated files of the operations' descriptions: the tables of docs/cli.md and of
// roles, and the forms of the console. A test compares them.
import { writeFileSync } from 'node:fs';
import { operationDocuments } from './operation-documents.ts';

for (const [path, text] of await operationDocuments()) {
  writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
