import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../harness/process.ts';

const root = new URL('..', import.meta.url).pathname;
const entry = createRequire(import.meta.url).resolve('@changesets/cli/package.json');
let folder: string;

/** A repository with the files that changesets read, and a change of each package. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', '.changeset/config.json'];
  const ofPackages = globSync('packages/*/{package.json,CHANGELOG.md}', { cwd: root });
  for (const path of [...files, ...ofPackages]) {
    cpSync(join(root, path), join(folder, path), { verbatimSymlinks: true });
  }
  const changes = {
    client: '---\n"@model-gateway/sdk": minor\n---\n\nThe client does a new thing.\n',
    service: '---\n"@model-gateway/server": patch\n---\n\nThe service mends a thing.\n',
  };
  for (const [name, change] of Object.entries(changes)) {
    writeFileSync(join(folder, `.changeset/${name}.md`), change);
  }
  const git = (...words: string[]) => run('git', words, { cwd: folder });
  const person = ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid'];
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git(...person, 'commit', '--quiet', '--message=Do a new thing');
  await run(process.execPath, [join(dirname(entry), 'bin.js'), 'version'], { cwd: folder });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const manifestOf = (name: string) => JSON.parse(read(`packages/${name}/package.json`));

/** The three parts of a current version. */
function numbersOf(name: string): [number, number, number] {
  const manifest = readFileSync(join(root, `packages/${name}/package.json`), 'utf8');
  const [major, minor, patch] = JSON.parse(manifest).version.split('.').map(Number);
  return [major, minor, patch];
}

describe('the next version', () => {
  test('of a package is as large as its change, and its dependents follow', () => {
    const [major, minor] = numbersOf('sdk');
    expect(manifestOf('sdk').version).toBe(`${major}.${minor + 1}.0`);
    const [ofServer, minorOfServer, patch] = numbersOf('server');
    expect(manifestOf('server').version).toBe(`${ofServer}.${minorOfServer}.${patch + 1}`);
    expect(manifestOf('lab').dependencies['@model-gateway/sdk']).toBe(manifestOf('sdk').version);
    expect(manifestOf('contract').version).toBe(numbersOf('contract').join('.'));
  });

  test('appears in each changelog, above the earlier ones', () => {
    const client = read('packages/sdk/CHANGELOG.md');
    expect(client).toContain('The client does a new thing.');
    expect(client.indexOf('new thing')).toBeLessThan(client.indexOf('## 0.1.0'));
    // The service's is at the top of the repository; a link next to its manifest leads there.
    const service = read('CHANGELOG.md');
    expect(service).toContain('The service mends a thing.');
    expect(service.indexOf('mends a thing')).toBeLessThan(service.indexOf('## 0.1.0'));
  });

  test('removes its changesets', () => {
    expect(globSync('.changeset/*.md', { cwd: folder })).toEqual([]);
  });
});
