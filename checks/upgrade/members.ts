import { parseUsd } from '../../packages/server/src/lib/money.ts';
import type { Served } from '../../packages/server/test/support/process.ts';
import { expect } from '../image/steps.ts';
import { apps, callAll, type Version } from './versions.ts';

/** A separate budget: the budget of the other steps has all apps. */
const budget = 'shared';

/**
 * Changes the members of a budget by both versions while both are called. Corrects a call that was
 * made before its app became a member.
 */
export async function changeMembers(
  { old, new: current }: { readonly old: Version; readonly new: Version },
  services: readonly Served[],
  keys: readonly string[],
): Promise<string> {
  const caps = ['--daily-usd', '400', '--monthly-usd', '900'];
  const changes = [
    [current, 'search', ...caps],
    [old, 'search,tutor'],
    [current, 'tutor'],
    [old, 'search'],
    [current, 'tutor'],
  ] as const;
  const refused: string[] = [];
  for (const [version, members, ...more] of changes) {
    const change = () => version.tryCommand('budgets', 'set', budget, '--apps', members, ...more);
    const [{ code, output }] = await Promise.all([change(), callAll(services, keys, 3)]);
    if (code !== 0) refused.push(output);
  }
  expect(refused.length === 0, refused.join('; '));
  const [early] = await callsOf(current.command, apps[0]);
  if (early === undefined) throw new Error('search has no call');
  await current.command('budgets', 'set', budget, '--apps', 'all');
  for (const usd of ['0.5', early.costUsd]) {
    await current.command('calls', 'correct', early.id, '--usd', usd, '--yes');
    await expectCounted(current);
  }
  return callAll(services, keys);
}

/** Compares the budget's count with all calls of the month: all apps are its members. */
export async function expectCounted({ command }: Version): Promise<void> {
  await command('audit');
  let spent = 0n;
  for (const app of apps) {
    for (const { costUsd } of await callsOf(command, app)) spent += parseUsd(costUsd) ?? 0n;
  }
  const shown = [await command('budgets', 'show', budget)].flat();
  const month = shown.map(Object).find(({ span }) => span === 'month');
  const counted = parseUsd(String(month?.spentUsd));
  expect(counted === spent, `the budget has counted ${counted} pico-USD of ${spent}`);
}

async function callsOf(command: Version['command'], app: string) {
  const { calls } = Object(await command('calls', 'list', '--app', app, '--limit', '200'));
  const listedCalls: readonly { readonly id: string; readonly costUsd: string }[] = calls;
  expect(listedCalls.length < 1_000, `${app} has more calls than a page`);
  return listedCalls;
}
