// Writes docs/statements.md from the tables of statements. A test compares them.
import { writeFileSync } from 'node:fs';
import { statementsDocument } from './statements-document.ts';

writeFileSync(new URL('../docs/statements.md', import.meta.url), statementsDocument());
