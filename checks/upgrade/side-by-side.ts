import { until } from '../../harness/until.ts';
import type { Served } from '../../packages/server/test/support/process.ts';
import { expect, type Steps } from '../image/steps.ts';
import { expectBilled } from './bill.ts';
import { changeMembers, expectCounted } from './members.ts';
import { apps, call, callAll, issueKey, type Setting, type Version } from './versions.ts';

/** Both versions on one store, and where each result is printed. */
export interface Versions {
  readonly steps: Steps;
  readonly setting: Setting;
  readonly old: Version;
  readonly new: Version;
}

/**
 * A version's rejections of what the other version cannot share: see docs/operations.md, "Upgrade".
 */
const refusals = {
  start:
    /has schema \d+(?: and this model-gateway knows \d+: run a newer one|, but this model-gateway supports up to \d+; run a newer version)/,
  change:
    /nothing was changed: \S+ runs (?:a version that knows no|an older version that supports only)/,
};

/** Runs both versions on one PostgreSQL: calls, changes of operators, and a kill. */
export async function runSideBySide(versions: Versions): Promise<void> {
  const { steps, setting, old, new: current } = versions;
  const services: Served[] = [];
  const keys: string[] = [];

  await steps.step('the old version fills an empty PostgreSQL store', async () => {
    services.push(await old.serve());
    for (const app of apps) keys.push((await issueKey(old, app, services)).key);
    return callAll(services, keys);
  });
  await steps.step('the new version starts next to it, and both are called', async () => {
    services.push(await current.serve());
    for (const key of keys) await until(async () => isGood(services, key));
    return callAll(services, keys);
  });
  await steps.step('keys issue, by both versions: both accept the keys', async () => {
    const { key } = await issueKey(current, apps[0], services);
    const byOld = await old.tryCommand(
      'keys',
      'issue',
      '--app',
      apps[1],
      '--email',
      'b@acme.example',
    );
    const other = /mgk_\w+/.exec(byOld.output)?.[0];
    if (other === undefined) expect(refusals.start.test(byOld.output), byOld.output);
    else await until(async () => isGood(services, other));
    const calls = await callAll(services, other === undefined ? [key] : [key, other]);
    return other === undefined ? `${calls}; the old command was rejected as documented` : calls;
  });
  await steps.step('keys disable: neither version accepts the key', async () => {
    const { id, key } = await issueKey(current, apps[0], services);
    await current.command('keys', 'disable', id);
    await untilAll(services, key, 'FORBIDDEN');
  });
  await steps.step('projects destroy, then apply: both versions call again', async () => {
    await current.command('projects', 'destroy', '--yes');
    await current.command('projects', 'apply');
    for (const key of keys) await untilAll(services, key, 'OK');
    return callAll(services, keys);
  });
  let isBudgetShared = false;
  await steps.step('budgets set', async () => {
    const { code, output } = await setBudget(current);
    isBudgetShared = code === 0;
    if (!isBudgetShared) expect(refusals.change.test(output), output);
    const calls = await callAll(services, keys);
    return isBudgetShared ? calls : `${calls}; rejected while the old version runs, as documented`;
  });
  await steps.step('budgets set with other members, by both versions, and corrections', () =>
    changeMembers(versions, services, keys),
  );
  await steps.step('kill -9 of the old version amid its calls: the new one continues', async () => {
    const [killed, ...left] = services;
    if (killed === undefined) throw new Error('the old version does not run');
    const slow = keys.map((key) => call(killed, key, 'sim-timeout'));
    await until(async () => Object(await current.command('holds', 'list')).length === slow.length);
    await killed.end('SIGKILL');
    const ends = await Promise.all(slow);
    expect(!ends.includes('OK'), 'a call of a killed process was answered');
    services.splice(0, 1);
    return callAll(left, keys);
  });
  await steps.step('the old version again: it starts, or refuses as documented', async () => {
    try {
      services.push(await old.serve());
    } catch (error) {
      expect(refusals.start.test(String(error)), String(error));
      return 'it refuses';
    }
    return `it starts; ${await callAll(services, keys)}`;
  });
  await steps.step('the ledger: audit clean, and equal to the bill of the simulator', async () => {
    for (const service of services.splice(1)) {
      expect((await service.end('SIGTERM')) === 0, 'the shutdown has lost calls');
    }
    if (!isBudgetShared) {
      await until(async () => (await setBudget(current)).code === 0);
      await callAll(services, keys);
    }
    const billed = await expectBilled(setting);
    await expectCounted(current);
    return billed;
  });
}

function setBudget({ tryCommand }: Version) {
  return tryCommand('budgets', 'set', 'research', '--apps', 'all', '--daily-usd', '500');
}

async function isGood(services: readonly Served[], key: string): Promise<boolean> {
  const ends = await Promise.all(services.map((service) => call(service, key)));
  return ends.every((end) => end === 'OK');
}

/** Changes of operators act within a second on every replica. */
async function untilAll(services: readonly Served[], key: string, code: string): Promise<void> {
  for (const service of services) await until(async () => (await call(service, key)) === code);
}
