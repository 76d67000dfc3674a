import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findLicences, findOwnLicences, isCompatible } from './licences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('every package of an installation may be distributed with the service', () => {
  expect(findOwnLicences(root)).toEqual([]);
});

test('every package of the lock file comes from a registry, with its checksum', () => {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  const packages: [string, { link?: boolean; integrity?: string }][] = Object.entries(
    lock.packages,
  );
  const others = packages.filter(([path]) => path.startsWith('node_modules/'));
  expect(others.length).toBeGreaterThan(50);
  const unpinned = others.filter(([, { link, integrity }]) => {
    return link !== true && integrity?.startsWith('sha512-') !== true;
  });
  expect(unpinned).toEqual([]);
});

describe('a licence', () => {
  test.each([
    ['MIT', true],
    ['(AFL-2.1 OR BSD-3-Clause)', true],
    ['MIT AND Apache-2.0', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['AGPL-3.0-or-later OR SSPL-1.0', false],
    ['(MIT OR GPL-2.0-only) AND CC-BY-NC-4.0', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['UNLICENSED', false],
    ['none', false],
    ['', false],
  ])('%s allows distribution: %s', (expression, isIt) => {
    expect(isCompatible(expression)).toBe(isIt);
  });

  test('is reported with its package, from the lock file or from the package itself', () => {
    const packages = {
      '': {},
      'node_modules/good': { license: 'MIT' },
      'node_modules/silent': {},
      'node_modules/changed': { license: 'MIT' },
      'node_modules/old': { license: 'MIT' },
      'node_modules/tool': { license: 'GPL-3.0-only', dev: true },
    };
    const manifests: Record<string, unknown> = {
      'node_modules/changed': { license: 'BUSL-1.1' },
      'node_modules/old': { licenses: [{ type: 'MIT' }, { type: 'GPL-2.0' }] },
    };
    expect(findLicences(packages, (path) => manifests[path])).toEqual([
      expect.stringMatching(/^node_modules\/silent has the licence none, .* use another package/),
      expect.stringMatching(/^node_modules\/changed has the licence BUSL-1\.1, /),
    ]);
  });
});
