import { leavesOf, loadCommandTree } from '../../packages/server/test/cli/support/command-tree.ts';

/** Every command, for example `apps list`, from the table of commands itself. */
export async function readLeaves(): Promise<readonly string[]> {
  return leavesOf(await loadCommandTree()).map(([path]) => path);
}
