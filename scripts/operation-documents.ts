import { readFileSync } from 'node:fs';
import { allOperations } from '../packages/server/src/operations/nouns.ts';
import { withCommandTables } from './operations/command-tables.ts';
import { consoleForms } from './operations/console-forms.ts';
import { withRoleTable } from './operations/role-table.ts';

/** The generated files of the operations' descriptions, by path. */
export async function operationDocuments(): Promise<ReadonlyMap<string, string>> {
  const operations = await allOperations();
  return new Map([
    ['docs/cli.md', await withCommandTables(read('docs/cli.md'))],
    ['docs/console.md', withRoleTable(read('docs/console.md'))],
    ['packages/console/src/data/operations.json', consoleForms(operations)],
  ]);
}

export function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}
