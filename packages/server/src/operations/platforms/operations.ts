import { listedNames } from '../../lib/nearest.ts';
import { silentLog } from '../../lib/silent-log.ts';
import { checkPlatform } from '../context/known-platform.ts';
import { argument, flag, optional, text } from '../description/field.ts';
import { type Operation, ofType, operation } from '../description/operation.ts';
import { bindSimulatorProjects, listBindings } from '../projects/bindings.ts';
import { checkPlatforms, isWell, type PlatformDocument } from './check-platforms.ts';
import { platformsLines } from './lines.ts';

const check = operation({
  name: 'platforms check',
  about: 'ask each platform for its models, free',
  opensFor: ({ call }) => (call === true ? 'apps' : 'file'),
  needs: ['platformNames', 'catalog', 'withCheckedPlatforms', 'unboundApps'],
  only: 'platform',
  input: {
    platform: optional(argument(text('the only one to ask', 'name'))),
    call: flag('also make the smallest call of each, which is billed'),
  },
  result: ofType<readonly PlatformDocument[]>(),
  async run({ admin, catalog, platformNames, withCheckedPlatforms }, { platform: only, call }) {
    checkPlatform(only, platformNames);
    const { clock } = admin;
    return withCheckedPlatforms(async (platforms) => {
      if (call !== true) return checkPlatforms({ platforms, clock });
      const made = platforms.map(({ platform }) => platform);
      // The projects of a simulator are made as a start makes them.
      const simulators = made.filter(({ kind }) => kind === 'simulator');
      await bindSimulatorProjects(admin, simulators, silentLog);
      const calls = { catalog, bindings: await listBindings(admin) };
      return checkPlatforms({ platforms, calls, clock });
    });
  },
  warnings: ({ unboundApps }) => unboundApps(),
  failure(checks) {
    const bad = checks.filter((found) => !isWell(found)).map(({ platform }) => platform);
    return bad.length === 0 ? undefined : `not in order: ${listedNames(bad)}`;
  },
  lines: platformsLines,
});

export const platforms: readonly Operation[] = [check];
