import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from './process.ts';
import type { Scope } from './scope.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Writes the sources of a commit into a folder of temporary files, and returns their launcher. The
 * packages come from that commit's lock file. The scope removes the folder.
 */
export async function installVersion(scope: Scope, commit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-earlier-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const archive = join(folder, 'sources.tar');
  await run('git', ['archive', `--output=${archive}`, commit], { cwd: root });
  await run('tar', ['-xf', archive], { cwd: folder });
  const words = ['ci', '--omit=dev', '--no-audit', '--no-fund'];
  await run('npm', words, { cwd: folder, env: cleanEnvironment() });
  return join(folder, 'packages/server/bin/model-gateway.js');
}

/** Without the variables that `npm run` has set for this repository's own package. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !/^npm_(?:package|lifecycle)_/.test(name)));
}
