import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from 'vitest';
import * as admin from '../../src/admin/statements.ts';
import { invariants } from '../../src/ledger/audit.ts';
import * as figures from '../../src/ledger/figures.ts';
import * as owners from '../../src/ledger/owners.ts';
import * as prune from '../../src/ledger/prune.ts';
import * as pruneCalls from '../../src/ledger/prune-calls.ts';
import * as ledger from '../../src/ledger/queries.ts';
import * as registry from '../../src/registry/queries.ts';
import * as lines from '../../src/store/audit-lines.ts';
import * as postgres from '../../src/store/postgres/statements.ts';
import * as sqlite from '../../src/store/sqlite/statements.ts';
import { statementFile, statementTexts } from './support/statement-texts.ts';

const modules = [admin, figures, owners, prune, pruneCalls, ledger, registry, lines];

// Every SQL text, as the database is asked it. A change shows in these files, and is meant.
// UPDATE_GOLDEN=1 writes them anew.

test.each([
  { name: 'sqlite', texts: () => statementTexts(sqlite) },
  { name: 'postgres', texts: () => statementTexts(postgres) },
  { name: 'both', texts: () => [...modules, { invariants }].flatMap(statementTexts) },
])('the statements of $name are those of the golden file', ({ name, texts }) => {
  const golden = new URL(`./golden/${name}.sql`, import.meta.url);
  const file = statementFile(texts());
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, file);
  expect(file).toBe(readFileSync(golden, 'utf8'));
});
