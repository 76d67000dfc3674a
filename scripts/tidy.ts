import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { findAll } from './tidy/find-all.ts';
import { describeFinding } from './tidy/finding.ts';
import { createProject } from './tidy/project.ts';
import type { TextFile } from './tidy/source.ts';

/** Every file that is in the repository or about to be, as it is on disk. */
function repositoryFiles(root: string): readonly TextFile[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const paths = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0');
  return paths.flatMap((path) => {
    if (path === '') return [];
    const text = readText(`${root}/${path}`);
    return text === undefined ? [] : [{ path, text }];
  });
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
const findings = findAll(createProject(repositoryFiles(root)));
for (const finding of findings) process.stdout.write(`${describeFinding(finding)}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
