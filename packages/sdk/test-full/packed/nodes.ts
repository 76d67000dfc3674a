import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { endOf } from '../../../../harness/process.ts';
import { npm } from './pack.ts';

/** The Nodes that the client is tested on; 26 is the one that runs the tests. */
export const nodeMajors = ['18', '20', '22', '24', '26'] as const;

const folder = fileURLToPath(new URL('../nodes', import.meta.url));

/**
 * Installs the older Nodes from npm once, about 150 MB each. Not with the repository's own
 * dependencies: each would put its `node` in the place of the pinned one.
 */
export async function installNodes(): Promise<void> {
  if (nodeMajors.every((major) => existsSync(nodeBinary(major)))) return;
  await npm(folder, ['ci', '--no-audit', '--no-fund']);
}

/** The program of a Node; `SDK_TEST_NODE_18=…` and so on give another, as on other machines. */
export function nodeBinary(major: (typeof nodeMajors)[number]): string {
  const given = process.env[`SDK_TEST_NODE_${major}`];
  if (given !== undefined) return given;
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  return `${folder}/node_modules/node-${major}/bin/node`;
}

/** The version that a program says it has. */
export async function versionOf(binary: string): Promise<string> {
  return (await endOf(binary, ['--version'])).stdout.trim();
}
