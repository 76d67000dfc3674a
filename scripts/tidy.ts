import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { findAll } from './tidy/find-all.ts';
import { describeFinding } from './tidy/finding.ts';
import { createProject } from './tidy/project.ts';
import { lowerRatchet, ratchetPath } from './tidy/ratchet.ts';
import type { TextFile } from './tidy/source.ts';

// The house rules. `--lower` lowers each ceiling of the ratchet that is higher than needed.

/** Every file that is in the repository or about to be, as it is on disk. */
function repositoryFiles(): readonly TextFile[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  return git(list).flatMap((path) => {
    if (path === '') return [];
    const text = readText(`${root}/${path}`);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** The paths of files that differ from the last commit. */
function changedPaths(): ReadonlySet<string> {
  const lines = git(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']);
  return new Set(lines.map((line) => line.slice('XY '.length)));
}

/** What git lists, with an empty text behind the last. */
function git(argv: readonly string[]): readonly string[] {
  return execFileSync('git', argv, { cwd: root, encoding: 'utf8' }).split('\0');
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It was deleted and git still lists it, or it is a link to a folder: nothing to read.
    return undefined;
  }
}

const root = new URL('..', import.meta.url).pathname;
const all = findAll(createProject(repositoryFiles(), changedPaths()));
const isLowering = process.argv.includes('--lower');
if (isLowering) {
  const file = `${root}/${ratchetPath}`;
  writeFileSync(file, lowerRatchet(readFileSync(file, 'utf8'), all));
}
const findings = isLowering ? all.filter(({ lower }) => lower === undefined) : all;
for (const finding of findings) process.stdout.write(`${describeFinding(finding)}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
