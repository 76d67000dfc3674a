import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

/**
 * Compares the tests of two states and exits with 1 if the later state lacks a test. The arguments
 * are a root and a list for each state; `npx vitest list --no-static-parse --json=FILE` in that
 * root makes the list. The tiers count as one: a test may move between them, or be in both.
 */
const [oldRoot = '', oldList = '', root = '', list = ''] = process.argv.slice(2);
const before = countTests(oldRoot, oldList);
const after = countTests(root, list);
const missing = [...before].filter(([test, count]) => count > (after.get(test) ?? 0));
const added = [...after.keys()].filter((test) => !before.has(test));
process.stdout.write(
  `${before.size} tests before, ${after.size} after: ${missing.length} gone, ${added.length} new\n`,
);
for (const [test] of missing) process.stdout.write(`gone: ${test}\n`);
process.exitCode = missing.length === 0 ? 0 : 1;

/** The number of each test: by its path without the tier, and its name without a random seed. */
function countTests(from: string, path: string): ReadonlyMap<string, number> {
  const tests: readonly { readonly file: string; readonly name: string }[] = JSON.parse(
    readFileSync(path, 'utf8'),
  );
  const counts = new Map<string, number>();
  for (const { file, name } of tests) {
    const path = relative(from, file).replace(/(^|\/)test(-full)?\//, '$1');
    const test = `${path}: ${name.replace(/\bseed \d+/, 'a seed')}`;
    counts.set(test, (counts.get(test) ?? 0) + 1);
  }
  return counts;
}
