import { createHash } from 'node:crypto';
import { access, chmod, cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { endOf, run } from '../../harness/process.ts';
import { withScope } from '../../harness/scope.ts';
import { rootFolder } from '../image/base.ts';
import { createSteps, expect } from '../image/steps.ts';

const versions = ['14', '15', '16', '17', '18'] as const;
const tests = [
  'packages/server/test/conformance/postgres.test.ts',
  'packages/server/test/store/postgres',
];
const runMsMax = 3_600_000;
const own = fileURLToPath(new URL('.', import.meta.url));
/** The versions to test: all where none is named. */
const requested = process.argv.slice(2);

await withScope(runMsMax, async (scope) => {
  for (const version of requested) {
    expect(
      versions.some((supported) => supported === version),
      `${version}: one of ${versions.join(', ')}`,
    );
  }
  const installed = await install();
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-versions-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  // As root the servers run as another user, who must reach their programs.
  await chmod(folder, 0o755);
  const { step, close } = createSteps();
  for (const version of versions.filter(
    (one) => requested.length === 0 || requested.includes(one),
  )) {
    const native = join(folder, version);
    await cp(nativeOf(installed, version), native, { recursive: true, verbatimSymlinks: true });
    const named = (await run(join(native, 'bin/postgres'), ['--version'])).trim();
    await step(named, async () => {
      const { code, output } = await test(native);
      expect(code === 0, output);
      return /(\d+) passed, 0 failed/.exec(output)?.[0];
    });
  }
  close();
});

/** Installs the locked packages of this folder, once for each lock file. */
async function install(): Promise<string> {
  const lock = await readFile(join(own, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const caches = join(homedir(), '.cache', 'model-gateway');
  const folder = join(caches, `postgres-versions-${hash}`);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  await mkdir(caches, { recursive: true });
  const making = await mkdtemp(`${folder}-`);
  for (const name of ['package.json', 'package-lock.json']) {
    await cp(join(own, name), join(making, name));
  }
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: making });
  await rename(making, folder);
  return folder;
}

function nativeOf(installed: string, version: string): string {
  return join(installed, 'node_modules', `postgres-${version}`, 'native');
}

/** Runs the tests on these programs. */
function test(native: string) {
  const vitest = [join(rootFolder, 'node_modules/vitest/vitest.mjs'), 'run', ...tests];
  const environment = { MODEL_GATEWAY_TEST_POSTGRES_BINARIES: native, NO_COLOR: '1' };
  return endOf(process.execPath, vitest, { cwd: rootFolder, environment, timeout: runMsMax });
}
