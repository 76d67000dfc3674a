import type { Catalog } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/clock.ts';
import { startTimeout } from '../../lib/deadline.ts';
import { listedNames } from '../../lib/nearest.ts';
import { silentLog } from '../../lib/silent-log.ts';
import {
  type CheckedPlatform,
  checkPlatform,
  type PlatformCheck,
} from '../../platforms/check-platform.ts';
import type { ProjectBinding } from '../../store/queries/registry.ts';
import { checkPlatformName } from '../context/admin-error.ts';
import { argument, flag, optional, text } from '../description/field.ts';
import { type Operation, ofType, operation } from '../description/operation.ts';
import { tableLines } from '../description/text-lines.ts';
import { bindSimulatorProjects, listBindings } from '../projects/bindings.ts';
import { callSmallest, type SmallestCall } from './smallest-call.ts';

const check = operation({
  name: 'platforms check',
  about: "request each platform's list of models (free)",
  opensFor: ({ call }) => (call === true ? 'apps' : 'file'),
  needs: ['platformNames', 'catalog', 'withCheckedPlatforms', 'unboundApps'],
  only: 'platform',
  input: {
    platform: optional(argument(text('only this platform', 'name'))),
    call: flag('also make one minimal call per platform (billed)'),
  },
  result: ofType<readonly PlatformDocument[]>(),
  async run({ admin, catalog, platformNames, withCheckedPlatforms }, { platform: only, call }) {
    checkPlatformName(only, platformNames);
    const { clock } = admin;
    return withCheckedPlatforms(async (platforms) => {
      if (call !== true) return checkPlatforms({ platforms, clock });
      const made = platforms.map(({ platform }) => platform);
      // A simulator's projects must exist first, as after startup.
      const simulators = made.filter(({ kind }) => kind === 'simulator');
      await bindSimulatorProjects(admin, simulators, silentLog);
      const calls = { catalog, bindings: await listBindings(admin) };
      return checkPlatforms({ platforms, calls, clock });
    });
  },
  warnings: ({ unboundApps }) => unboundApps(),
  failure(checks) {
    const bad = checks.filter((result) => !isHealthy(result)).map(({ platform }) => platform);
    return bad.length === 0 ? undefined : `platform check failed: ${listedNames(bad)}`;
  },
  lines: platformsLines,
});

export const platforms: readonly Operation[] = [check];

function platformsLines(checks: readonly PlatformDocument[]): readonly string[] {
  const hasRoutes = checks.some(({ route }) => route !== undefined);
  const table = tableLines(
    ['platform', 'kind', ...(hasRoutes ? ['route'] : []), 'state', 'models', 'call'],
    checks.map(({ platform, kind, route = 'direct', state, models, call }) => [
      ...[platform, kind, ...(hasRoutes ? [route] : [])],
      ...[state, models === null ? '-' : String(models)],
      call === undefined ? 'not made' : callCell(call),
    ]),
    'No platforms are configured.',
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

interface PlatformDocument extends PlatformCheck {
  readonly call?: SmallestCall;
}

const listMs = 10_000;
const callMs = 60_000;

/** With `calls`, also makes a minimal call, which is billed. */
function checkPlatforms(parts: {
  readonly platforms: readonly CheckedPlatform[];
  readonly calls?: CallParts | undefined;
  readonly clock: Clock;
}): Promise<readonly PlatformDocument[]> {
  const { platforms, calls, clock } = parts;
  const checks = platforms.map(async (checked) => {
    const result = await inTime(clock, listMs, (signal) => checkPlatform(checked, signal));
    if (calls === undefined) return result;
    const { platform } = checked;
    const call = await inTime(clock, callMs, (signal) =>
      callSmallest({ platform, signal, ...calls }),
    );
    return { ...result, call };
  });
  return Promise.all(checks);
}

interface CallParts {
  readonly catalog: Pick<Catalog, 'list' | 'isRetired'>;
  readonly bindings: readonly ProjectBinding[];
}

/** A call proves more than a model list, which some servers lack. */
function isHealthy({ state, problem, call }: PlatformDocument): boolean {
  if (call !== undefined) return call.answered && (state !== 'works' || problem === null);
  return problem === null;
}

async function inTime<T>(
  clock: Clock,
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
