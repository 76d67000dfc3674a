import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { endOf } from '../../../../../harness/process.ts';
import { ownLauncher } from '../../support/process.ts';

/** Runs a command to its end in its own process, by this Node or by another. */
export async function runBin(
  commandLine: readonly string[],
  parts: { node?: string; input?: string; cwd?: string } = {},
): Promise<{ readonly code: number | string; readonly out: string; readonly errors: string }> {
  const { node = process.execPath, ...options } = parts;
  const { code, stdout, stderr } = await endOf(node, [ownLauncher, ...commandLine], options);
  return { code, out: stdout, errors: stderr };
}

/** A Node that npm did not install (the system's); undefined if there is none. */
export function systemNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const outside = folders.filter((folder) => folder !== '' && !folder.includes('node_modules'));
  return outside.map((folder) => join(folder, 'node')).find((path) => existsSync(path));
}
