import { expect, test } from 'vitest';
import { findProcesses } from './processes.ts';
import { createProject } from './project.ts';

const linesOf = (path: string, text: string) =>
  findProcesses(createProject([{ path, text }])).map(({ line }) => line);

test.each([
  "import { spawn } from 'node:child_process';",
  "import { type ChildProcess, execFile } from 'child_process';",
  "export * from 'node:child_process';",
  "void import('node:child_process');",
])('%s is found in tests, benchmarks and checks only', (text) => {
  expect(linesOf('packages/server/test/support/a.ts', text)).toEqual([1]);
  expect(linesOf('packages/sdk/test-full/a.test.ts', text)).toEqual([1]);
  expect(linesOf('examples/testing/a.ts', text)).toEqual([1]);
  expect(linesOf('benchmarks/a.ts', text)).toEqual([1]);
  expect(linesOf('checks/a/run.ts', text)).toEqual([1]);
  expect(linesOf('scripts/a.test.ts', text)).toEqual([1]);
  expect(linesOf('harness/process.ts', text)).toEqual([]);
  expect(linesOf('packages/lab/src/a.ts', text)).toEqual([]);
  expect(linesOf('scripts/check.ts', text)).toEqual([]);
});

test.each([
  "import type { ChildProcess } from 'node:child_process';",
  "import { run } from '../../harness/process.ts';",
])('%s is not found', (text) => {
  expect(linesOf('packages/server/test/a.ts', text)).toEqual([]);
});
