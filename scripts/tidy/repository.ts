import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TextFile } from './source.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every file that is committed or about to be, as it is on disk. */
export function repositoryFiles(): readonly TextFile[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  return pathsOf(git(list)).flatMap((path) => {
    const text = readText(`${root}/${path}`);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** Every file of a commit that people read: sources and documents. */
export function filesOfCommit(commit: string): readonly TextFile[] {
  const paths = pathsOf(git(['ls-tree', '-r', '-z', '--name-only', commit]));
  return paths
    .filter((path) => /\.(?:md|[mc]?[jt]sx?)$/.test(path))
    .map((path) => ({ path, text: git(['show', `${commit}:${path}`]) }));
}

/** The paths of files that differ from the last commit. */
export function changedPaths(): ReadonlySet<string> {
  const lines = git(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']);
  return new Set(lines.split('\0').map((line) => line.slice('XY '.length)));
}

function pathsOf(list: string): readonly string[] {
  return list.split('\0').filter((path) => path !== '');
}

function git(argv: readonly string[]): string {
  return execFileSync('git', argv, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It was deleted and git still lists it, or it is a link to a folder: nothing to read.
    return undefined;
  }
}
