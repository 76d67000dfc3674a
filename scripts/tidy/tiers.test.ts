import { expect, test } from 'vitest';
import { createProject } from './project.ts';
import { findTiers } from './tiers.ts';

const linesOf = (path: string, text: string) =>
  findTiers(createProject([{ path, text }])).map(({ line }) => line);

test.each([
  "import { openReplicas } from '../../test-full/faults/replicas.ts';",
  "import type { Replicas } from '../../test-full/faults/replicas.ts';",
  "export * from '../../test-full/faults/replicas.ts';",
  "export { callers } from '../../test-full/faults/replicas.ts';",
  "const replicas = await import('../../test-full/faults/replicas.ts');",
  "import { startOwnPostgres } from '../support/postgres.ts';",
  "import { startOwnPostgres as start } from '../support/postgres.ts';",
])('%s is found in the first tier only', (text) => {
  expect(linesOf('packages/server/test/faults/a.test.ts', text)).toEqual([1]);
  expect(linesOf('packages/server/test/support/a.ts', text)).toEqual([1]);
  expect(linesOf('examples/a.test.ts', text)).toEqual([1]);
  expect(linesOf('packages/server/test-full/faults/a.test.ts', text)).toEqual([]);
  expect(linesOf('examples/test-full/a.test.ts', text)).toEqual([]);
});

test.each([
  "import { startPostgres } from '../support/postgres.ts';",
  'export async function startOwnPostgres() {}',
  "// from '../../test-full/faults/replicas.ts'",
])('%s is allowed', (text) => {
  expect(linesOf('packages/server/test/faults/a.test.ts', text)).toEqual([]);
});
