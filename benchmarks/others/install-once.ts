import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../harness/process.ts';

// Compiling from source takes longest: a quarter of an hour on two cores.
const installMs = 2_400_000;

export interface Step {
  readonly program: string;
  readonly argv: readonly string[];
}

/**
 * Runs the steps that fill a folder, unless the same lock file has run them already. Returns the
 * reason of a failure, or undefined.
 */
export async function installOnce(parts: {
  readonly folder: string;
  readonly workingFolder: string;
  readonly lockFile: string;
  readonly steps: readonly Step[];
}): Promise<string | undefined> {
  const { folder, workingFolder, lockFile, steps } = parts;
  const done = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  const mark = join(folder, '.installed');
  if (readIfThere(mark) === done) return undefined;
  for (const { program, argv } of steps) {
    try {
      await run(program, argv, { cwd: workingFolder, timeout: installMs });
    } catch (error) {
      if (isMissing(error)) return `${program} is not installed`;
      return `${program} ${argv.slice(0, 2).join(' ')}: ${reasonOf(error)}`;
    }
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(mark, done);
  return undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The last output of a failed command, in one short line. */
function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const text = stderr === '' ? String(error) : stderr;
  const lines = text.split('\n').map((line) => line.trim());
  const errorLine = lines.find((line) => /^(npm )?error\b/i.test(line)) ?? lines.at(-1) ?? '';
  return errorLine.slice(0, 200);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The file was never written: nothing is installed.
    return undefined;
  }
}
