import { findAll } from './find-all.ts';
import { describeFinding } from './finding.ts';
import { createProject } from './project.ts';

/** The files of a test's project: path to text. */
export type Files = Readonly<Record<string, string>>;

/** Each finding as `path:line rule - what to do`. */
export function findingsOf(files: Files): readonly string[] {
  const list = Object.entries(files).map(([path, text]) => ({ path, text }));
  return findAll(createProject(list)).map(describeFinding);
}

/** Each finding as `path:line rule`. */
export function positionsOf(files: Files): readonly string[] {
  return findingsOf(files).map((finding) => finding.split(' - ')[0] ?? '');
}

/** A source file that something imports. */
export function used(path: string, text: string): Files {
  return { [path]: text, 'examples/uses.ts': `import '../${path}';\n` };
}
