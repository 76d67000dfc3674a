import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serveSimulator } from '@model-gateway/simulator';
import { installVersion } from '../../harness/earlier-version.ts';
import { type Scope, withScope } from '../../harness/scope.ts';
import { startOwnPostgres } from '../../packages/server/test/support/postgres-own.ts';
import { ownLauncher } from '../../packages/server/test/support/process.ts';
import { createSteps } from '../image/steps.ts';
import { runSideBySide } from './side-by-side.ts';
import { runUpgrade } from './upgraded-store.ts';
import { type Setting, versionOf, writeConfiguration } from './versions.ts';

const runMsMax = 1_800_000;

const { values } = parseArgs({ options: { from: { type: 'string' } } });
const { from } = values;
if (from === undefined) throw new Error('--from is missing; use for example --from=HEAD~30');

await withScope(runMsMax, async (scope) => {
  const steps = createSteps();
  let launcher = '';
  await steps.step(`the version of ${from} is installed`, async () => {
    launcher = await installVersion(scope, from);
  });
  const versionsOn = (setting: Setting) => ({
    ...{ steps, setting },
    old: versionOf(scope, launcher, setting),
    new: versionOf(scope, ownLauncher, setting),
  });
  const postgres = await startOwnPostgres();
  scope.add(() => postgres.close());
  await runSideBySide(versionsOn(await makeSetting(scope, await postgres.database())));
  await runUpgrade(versionsOn(await makeSetting(scope)));
  steps.close();
});

/** A folder, a store and a platform; the store is a SQLite file where no URL is given. */
async function makeSetting(scope: Scope, databaseUrl?: string): Promise<Setting> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-upgrade-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const simulator = await serveSimulator({ port: 0 });
  scope.add(simulator.close);
  const storeUrl = databaseUrl ?? `sqlite:${join(folder, 'gateway.db')}`;
  const setting = { folder, storeUrl, simulatorUrl: simulator.url };
  await writeConfiguration(setting);
  return setting;
}
