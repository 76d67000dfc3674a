import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import { startTimeout } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import type { Observer, SettledCall } from '../lib/observer.ts';
import {
  checkPlatform,
  type PlatformCheck,
  type PlatformState,
  problemOf,
} from '../platforms/check-platform.ts';
import type { Platform } from '../platforms/port.ts';
import { createMissingModels } from './missing-models.ts';

/** What is known of a platform now. */
export interface PlatformReport {
  readonly name: string;
  readonly state: PlatformState;
  /** What is wrong and what to do; null when nothing is known to be. */
  readonly problem: string | null;
}

/** Sees which platforms refuse calls, and tells operators why. */
export interface PlatformWatch extends Required<Pick<Observer, 'callSettled'>> {
  /** Whether a platform has just told this app that it does not have this model. */
  isMissing(app: string, model: string): boolean;
  /** Asks every platform for its models, which is free, in bounded time; warns, never throws. */
  check(): Promise<void>;
  /** Every platform, in the order of the configuration. */
  reports(): readonly PlatformReport[];
  /** Ends a check that runs. */
  stop(): void;
}

/** A start is known to be good or bad by then. */
const checkMs = 5_000;

/** What a watch is made of. */
export interface WatchParts {
  readonly config: Pick<Config, 'platforms' | 'models'>;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A watch that knows nothing yet. */
export function createPlatformWatch(parts: WatchParts): PlatformWatch {
  const { config, platforms, clock, log } = parts;
  const reports = new Map<string, PlatformReport>();
  const missing = createMissingModels(clock);
  const stopped = new AbortController();
  return {
    callSettled,
    isMissing: missing.has,
    async check() {
      const timeout = startTimeout(clock, checkMs);
      const signal = AbortSignal.any([timeout.signal, stopped.signal]);
      await Promise.all(
        checkedPlatforms(config, platforms)
          // One that must prove how it bills is asked at the start already, and says what it said.
          .filter(({ platform }) => platform.verifyBilling === undefined)
          .map(async (checked) => report(await checkPlatform(checked, signal))),
      );
      timeout.cancel();
    },
    reports: () => [...platforms.keys()].map((name) => reports.get(name) ?? unknown(name)),
    stop: () => stopped.abort(),
  };

  function report({ platform: name, state, status, problem }: PlatformCheck) {
    if (stopped.signal.aborted) return;
    reports.set(name, { name, state, problem });
    if (problem !== null) log.warn({ platform: name, state, status }, problem);
  }

  /** Of a call that was answered it compares a word or two. */
  function callSettled(call: SettledCall) {
    const { app, model, modelLabel, platform, code, platformStatus } = call;
    if (code === 'OK') {
      if (reports.size > 0) reportWorking(platform);
      missing.clear(app, modelLabel);
      return;
    }
    if (code === 'NOT_FOUND' && model === modelLabel) missing.add(app, model);
    if (code === 'AUTH' && platformStatus !== undefined) reportRefusal(call, platformStatus);
  }

  function reportWorking(name: string) {
    const report = reports.get(name);
    if (report === undefined || report.state === 'works') return;
    reports.set(name, { name, state: 'works', problem: null });
    log.info({ platform: name }, 'the platform answers calls again');
  }

  /** Told once for each state: a broken credential is refused thousands of times. */
  function reportRefusal({ app, model, platform: name }: SettledCall, status: number) {
    const state = status === 401 ? 'unauthorized' : 'forbidden';
    if (reports.get(name)?.state === state) return;
    const problem = problemOf(state, { name, where: name, status });
    reports.set(name, { name, state, problem });
    log.warn({ platform: name, state, status, app, model }, problem ?? state);
  }
}

/** Every platform with what the file puts on it. */
export function checkedPlatforms(
  { platforms: configs, models }: Pick<Config, 'platforms' | 'models'>,
  platforms: ReadonlyMap<string, Platform>,
) {
  return configs.flatMap(({ name, baseUrl }) => {
    const platform = platforms.get(name);
    if (platform === undefined) return [];
    return [{ platform, baseUrl, wanted: models.filter((row) => row.platform === name) }];
  });
}

function unknown(name: string): PlatformReport {
  return { name, state: 'not-asked', problem: null };
}
