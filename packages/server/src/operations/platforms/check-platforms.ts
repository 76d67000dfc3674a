import type { Catalog } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/clock.ts';
import { startTimeout } from '../../lib/deadline.ts';
import {
  type CheckedPlatform,
  checkPlatform,
  type PlatformCheck,
} from '../../platforms/check-platform.ts';
import type { ProjectBinding } from '../../store/queries/registry.ts';
import { callSmallest, type SmallestCall } from './smallest-call.ts';

export interface PlatformDocument extends PlatformCheck {
  /** Missing where no call was asked for. */
  readonly call?: SmallestCall;
}

const listMs = 10_000;
const callMs = 60_000;

/** With `calls`, also makes the smallest call, which is billed. */
export function checkPlatforms(parts: {
  readonly platforms: readonly CheckedPlatform[];
  readonly calls?: CallParts | undefined;
  readonly clock: Clock;
}): Promise<readonly PlatformDocument[]> {
  const { platforms, calls, clock } = parts;
  const checks = platforms.map(async (checked) => {
    const found = await inTime(clock, listMs, (signal) => checkPlatform(checked, signal));
    if (calls === undefined) return found;
    const { platform } = checked;
    const call = await inTime(clock, callMs, (signal) =>
      callSmallest({ platform, signal, ...calls }),
    );
    return { ...found, call };
  });
  return Promise.all(checks);
}

export interface CallParts {
  readonly catalog: Pick<Catalog, 'list' | 'isRetired'>;
  readonly bindings: readonly ProjectBinding[];
}

/** A call proves more than a list, which not every server has. */
export function isWell({ state, problem, call }: PlatformDocument): boolean {
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
