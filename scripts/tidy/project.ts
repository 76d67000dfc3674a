import { parseSource, type Source, type TextFile } from './source.ts';

/** The input of every rule. */
export interface Project {
  readonly files: readonly TextFile[];
  /** The TypeScript and JavaScript among them, parsed. */
  readonly sources: readonly Source[];
  /** The text of a file; undefined when there is none. */
  text(path: string): string | undefined;
  /** Whether the file exists, or a folder with files in it. */
  exists(path: string): boolean;
  /** Whether a file differs from the last commit. */
  isChanged(path: string): boolean;
}

/** A project of these files, all parsed once. */
export function createProject(
  files: readonly TextFile[],
  changed: ReadonlySet<string> = new Set(),
): Project {
  const texts = new Map(files.map((file) => [file.path, file.text]));
  const paths = new Set(files.flatMap((file) => withFolders(file.path)));
  return {
    files,
    sources: files.filter((file) => /\.[mc]?[jt]sx?$/.test(file.path)).map(parseSource),
    text: (path) => texts.get(path),
    exists: (path) => paths.has(path.replace(/\/$/, '')),
    isChanged: (path) => changed.has(path),
  };
}

function withFolders(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
