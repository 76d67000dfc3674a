import { dirname } from 'node:path';
import process from 'node:process';
import type { Command } from 'commander';
import { AdminError } from '../admin/admin-error.ts';
import { bindSimulatorProjects } from '../admin/bindings.ts';
import { callSmallest, type SmallestCall } from '../admin/smallest-call.ts';
import type { Config } from '../domain/config.ts';
import { startTimeout } from '../lib/deadline.ts';
import { silentLog } from '../lib/silent-log.ts';
import { checkedPlatforms } from '../observe/platform-watch.ts';
import { checkPlatform, type PlatformCheck } from '../platforms/check-platform.ts';
import { createPlatforms } from '../platforms/create-platforms.ts';
import type { Platform } from '../platforms/port.ts';
import { type ProjectBinding, selectBindings } from '../registry/queries.ts';
import { catalogOf } from './catalog.ts';
import {
  type CommandContext,
  type CommonOptions,
  readConfig,
  UsageError,
  withApps,
} from './context.ts';
import { printDocument, tableLines } from './print.ts';
import { withSharedOptions } from './shared-options.ts';
import { simulatorFor } from './simulated.ts';

interface CheckOptions extends CommonOptions {
  readonly call?: boolean;
}

/** A platform with what looking at it has shown, and with what a call of it came to. */
interface CheckDocument extends PlatformCheck {
  readonly call?: SmallestCall;
}

/** How long each platform may take for each question. */
const listMs = 10_000;
const callMs = 60_000;

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
  const config = readConfig(context, options);
  const names = config.platforms.map(({ name }) => name);
  if (only !== undefined && !names.includes(only)) {
    throw new UsageError(`there is no platform ${only}; the file has ${names.join(', ')}`);
  }
  const asked = config.platforms.filter(({ name }) => only === undefined || name === only);
  const part = { ...config, platforms: asked };
  const checks = await withPlatforms(context, part, async (platforms) => {
    const bindings =
      options.call === true
        ? await bindingsOf(context, config, [...platforms.values()])
        : undefined;
    const looks = checkedPlatforms(part, platforms).map(async (checked) => {
      const found = await inTime(context, listMs, (signal) => checkPlatform(checked, signal));
      if (bindings === undefined) return found;
      return { ...found, call: await callOf(context, config, checked.platform, bindings) };
    });
    return Promise.all(looks);
  });
  printDocument(context, options, checks, checkLines);
  const bad = checks.filter((found) => !isWell(found)).map(({ platform }) => platform);
  if (bad.length > 0) throw new AdminError(`not in order: ${bad.join(', ')}`);
}

/** A call says more than a list, which not every server has. */
function isWell({ state, problem, call }: CheckDocument): boolean {
  if (call !== undefined) return call.answered && (state !== 'works' || problem === null);
  return problem === null;
}

/** The projects that calls can be billed to; a simulator's are made, as a start does it. */
function bindingsOf(
  context: CommandContext,
  config: Config,
  platforms: readonly Platform[],
): Promise<readonly ProjectBinding[]> {
  const simulators = platforms.filter(({ kind }) => kind === 'simulator');
  return withApps(context, config, async (admin) => {
    await bindSimulatorProjects(admin, simulators, silentLog);
    return admin.store.read(selectBindings);
  });
}

async function callOf(
  context: CommandContext,
  config: Config,
  platform: Platform,
  bindings: readonly ProjectBinding[],
): Promise<SmallestCall> {
  const catalog = await catalogOf(context, config);
  return inTime(context, callMs, (signal) => callSmallest({ platform, catalog, bindings, signal }));
}

async function inTime<T>(
  { clock }: CommandContext,
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = startTimeout(clock, limitMs);
  try {
    return await work(timeout.signal);
  } finally {
    timeout.cancel();
  }
}

/** Opens the platforms of a configuration, and closes them whatever the work does. */
async function withPlatforms<T>(
  context: CommandContext,
  config: Config,
  work: (platforms: ReadonlyMap<string, Platform>) => Promise<T>,
): Promise<T> {
  const made = createPlatforms({
    configs: config.platforms,
    clock: context.clock,
    simulator: await simulatorFor(context, config),
    folders: [dirname(config.file), process.cwd()],
  });
  if ('problems' in made) throw new UsageError(made.problems.join('\n'));
  try {
    return await work(made.platforms);
  } finally {
    await Promise.all([...made.platforms.values()].map((platform) => platform.close()));
  }
}

function checkLines(checks: readonly CheckDocument[]): readonly string[] {
  const table = tableLines(
    ['platform', 'kind', 'state', 'models', 'call'],
    checks.map(({ platform, kind, state, models, call }) => [
      ...[platform, kind, state, models === null ? '-' : String(models)],
      call === undefined ? 'not made' : callCell(call),
    ]),
    'The configuration has no platform.',
  );
  const problems = checks.flatMap(({ problem, call }) => [problem, call?.problem ?? null]);
  const lines = [...new Set(problems.filter((problem) => problem !== null))];
  return lines.length === 0 ? table : [...table, '', ...lines];
}

function callCell({ answered, model, status, usd }: SmallestCall): string {
  if (model === null) return 'not made';
  const how = answered ? 'answered' : `failed${status === null ? '' : ` (${status})`}`;
  return `${how} by ${model}, ${usd === null ? 'cost unknown' : `$${usd}`}`;
}
