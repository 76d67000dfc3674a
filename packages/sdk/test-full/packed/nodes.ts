import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { endOf } from '../../../../harness/process.ts';
import { npm } from './pack.ts';

/** The tested versions of Node; 26 runs the tests. */
export const nodeMajors = ['18', '20', '22', '24', '26'] as const;

const folder = fileURLToPath(new URL('../nodes', import.meta.url));

/**
 * Installs the older Nodes from npm once, about 150 MB each. Not with the repository's own
 * dependencies: each would replace the `node` of the pinned one.
 */
export async function installNodes(): Promise<void> {
  if (nodeMajors.every((major) => existsSync(nodeBinary(major)))) return;
  await npm(folder, ['ci', '--no-audit', '--no-fund']);
}

/** The executable of a Node; `SDK_TEST_NODE_18=…` and so on replace it on other machines. */
export function nodeBinary(major: (typeof nodeMajors)[number]): string {
  const given = process.env[`SDK_TEST_NODE_${major}`];
  if (given !== undefined) return given;
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  return `${folder}/node_modules/node-${major}/bin/node`;
}

export async function versionOf(binary: string): Promise<string> {
  return (await endOf(binary, ['--version'])).stdout.trim();
}
