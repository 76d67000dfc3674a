import type { Command } from 'commander';
import type { PartConfig } from '../config/parts.ts';
import { listedNames, orNearest } from '../lib/nearest.ts';
import { silentLog } from '../lib/silent-log.ts';
import { checkedPlatforms } from '../observe/platform-watch.ts';
import { AdminError } from '../operations/admin-error.ts';
import { type CallParts, checkPlatforms, isWell } from '../operations/platforms/check-platforms.ts';
import { platformsLines } from '../operations/platforms/lines.ts';
import { bindSimulatorProjects, listBindings } from '../operations/projects/bindings.ts';
import type { Platform } from '../platforms/port.ts';
import { catalogOf } from './catalog.ts';
import { type CommandContext, type CommonOptions, readParts, UsageError } from './context.ts';
import { withPlatforms } from './platforms.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { unboundLines } from './unbound-apps.ts';

interface CheckOptions extends CommonOptions {
  readonly call?: boolean;
}

/** `platforms check`. */
export function registerPlatforms(program: Command, context: CommandContext): void {
  const platforms = program.command('platforms').description('the model platforms');
  withSharedOptions(
    platforms.command('check [platform]').description('ask each platform for its models, free'),
  )
    .option('--call', 'also make the smallest call of each, which is billed')
    .action((platform: string | undefined, _options: unknown, command: Command) =>
      check(context, platform, command.optsWithGlobals<CheckOptions>()),
    );
}

async function check(context: CommandContext, only: string | undefined, options: CheckOptions) {
  const parts = ['platforms', 'platformNames', 'catalog', 'apps'] as const;
  const part = readParts(context, options, { parts, only });
  const names = part.platformNames;
  if (only !== undefined && !names.includes(only)) {
    throw new UsageError(`there is no platform ${only}; the file has ${orNearest(only, names)}`);
  }
  const checks = await withPlatforms(context, part, async (made) => {
    const calls = options.call === true ? await callParts(context, options, made) : undefined;
    const platforms = checkedPlatforms({ ...part.catalog, ...part }, made, context.clock.now());
    return checkPlatforms({ platforms, calls, clock: context.clock });
  });
  printDocument(context, options, checks, platformsLines);
  for (const line of await unboundOf(context, options, part)) context.warn(line);
  const bad = checks.filter((found) => !isWell(found)).map(({ platform }) => platform);
  if (bad.length > 0) throw new AdminError(`not in order: ${listedNames(bad)}`);
}

/** The apps without a project, on the platforms that were checked. */
async function unboundOf(
  context: CommandContext,
  options: CheckOptions,
  part: PartConfig<'platforms' | 'catalog' | 'apps'>,
): Promise<readonly string[]> {
  const catalog = await catalogOf(context, part.catalog);
  return unboundLines(context, options, { config: part, catalog });
}

/** The projects that calls can be billed to; a simulator's are made, as a start does it. */
function callParts(
  context: CommandContext,
  options: CheckOptions,
  platforms: ReadonlyMap<string, Platform>,
): Promise<CallParts> {
  const simulators = [...platforms.values()].filter(({ kind }) => kind === 'simulator');
  return onApps(
    context,
    options,
    async (admin, config) => {
      await bindSimulatorProjects(admin, simulators, silentLog);
      return {
        catalog: await catalogOf(context, config.catalog),
        bindings: await listBindings(admin),
      };
    },
    { parts: ['catalog'] },
  );
}
