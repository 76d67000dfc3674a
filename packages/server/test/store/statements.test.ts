import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from 'vitest';
import { invariants } from '../../src/store/audit/invariants.ts';
import * as postgres from '../../src/store/postgres/statements.ts';
import * as instances from '../../src/store/queries/instances.ts';
import * as ledger from '../../src/store/queries/ledger.ts';
import * as metrics from '../../src/store/queries/metrics.ts';
import * as admin from '../../src/store/queries/operator-statements.ts';
import * as planUse from '../../src/store/queries/plan-use.ts';
import * as prune from '../../src/store/queries/prune-keys.ts';
import * as references from '../../src/store/queries/references.ts';
import * as registry from '../../src/store/queries/registry.ts';
import * as registryChanges from '../../src/store/queries/registry-changes.ts';
import * as usageNames from '../../src/store/queries/usage-names.ts';
import * as lines from '../../src/store/schema/audit-lines.ts';
import * as sqlite from '../../src/store/sqlite/statements.ts';
import * as pruneCalls from '../../src/store/sums/prune-calls.ts';
import { statementFile, statementTexts } from './support/statement-texts.ts';

const modules = [
  ...[admin, metrics, instances, prune, pruneCalls, ledger, registry, lines],
  ...[planUse, references, registryChanges, usageNames],
];

// Every SQL text, as the database gets it. A change shows in these files, and must be intended.
// UPDATE_GOLDEN=1 writes them again.

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
