import type { Config } from '../domain/config.ts';
import { isRetiredAt } from '../domain/model.ts';
import { baseUrlOf } from '../domain/platform.ts';
import type { Clock } from '../lib/clock.ts';
import { startTimeout } from '../lib/deadline.ts';
import type { Log } from '../lib/log.ts';
import type { EndedAttempt, Observer, SettledCall } from '../lib/observer.ts';
import {
  checkPlatform,
  type PlatformCheck,
  type PlatformState,
  problemOf,
} from '../platforms/check-platform.ts';
import type { Platform } from '../platforms/model/port.ts';
import { unusableCauses } from '../platforms/model/unusable.ts';
import { routeNameOf } from '../platforms/route-name.ts';

export interface PlatformReport {
  readonly name: string;
  readonly state: PlatformState;
  /** The fault and its remedy; null while none is known. */
  readonly problem: string | null;
}

export interface PlatformWatch extends Required<Pick<Observer, 'callSettled' | 'attemptEnded'>> {
  /** True shortly after the platform reported the model missing for this app. */
  isMissing(app: string, model: string): boolean;
  /** Lists each platform's models, which is free. Takes bounded time, and only warns. */
  check(): Promise<void>;
  /** In the order of the configuration. */
  reports(): readonly PlatformReport[];
  stop(): void;
}

/** For an error object without a status. */
const unnamedStatus = 502;

function findingOf({ account, unusable, platform, status = unnamedStatus }: EndedAttempt) {
  if (unusable !== undefined) {
    const [, why = unusable] =
      Object.entries(unusableCauses).find(([one]) => one === unusable) ?? [];
    return { state: 'unusable', problem: `${platform}: ${why}` } as const;
  }
  if (account === undefined) return undefined;
  const state = stateOf[account] ?? 'unpaid';
  const problem = problemOf(state, { name: platform, where: platform, status });
  return { state, problem: problem ?? state };
}

const loggedEveryMs = 60_000;

const stateOf: Readonly<Record<string, PlatformState>> = {
  unauthorized: 'unauthorized',
  forbidden: 'forbidden',
};

/** A startup check ends within this time. */
const checkMs = 5_000;

export interface PlatformEvents {
  report(report: PlatformReport): void;
  onReport(listener: (report: PlatformReport) => void): void;
}

export interface WatchParts {
  readonly platformEvents?: PlatformEvents | undefined;
  readonly config: Pick<Config, 'platforms' | 'models'>;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createPlatformWatch(parts: WatchParts): PlatformWatch {
  const { config, platforms, clock, log } = parts;
  const reports = new Map<string, PlatformReport>();
  const missing = createMissingModels(clock);
  const stopped = new AbortController();
  // The thread that detects a fault logs it.
  parts.platformEvents?.onReport((report) => reports.set(report.name, report));
  const isLogged = createLogLimit(clock);
  return {
    callSettled,
    attemptEnded,
    isMissing: missing.has,
    async check() {
      const timeout = startTimeout(clock, checkMs);
      const signal = AbortSignal.any([timeout.signal, stopped.signal]);
      await Promise.all(
        checkedPlatforms(config, platforms, clock.now())
          // Startup has already checked platforms that verify billing, and logged the result.
          .filter(({ platform }) => platform.verifyBilling === undefined)
          .map(async (checked) => report(await checkPlatform(checked, signal))),
      );
      timeout.cancel();
    },
    reports: () => [...platforms.keys()].map((name) => reports.get(name) ?? unknown(name)),
    stop: () => stopped.abort(),
  };

  function note(report: PlatformReport) {
    reports.set(report.name, report);
    parts.platformEvents?.report(report);
  }

  function report({ platform: name, state, status, problem }: PlatformCheck) {
    if (stopped.signal.aborted) return;
    note({ name, state, problem });
    if (problem !== null) log.warn({ platform: name, state, status }, problem);
  }

  /** Costs a successful call only one or two comparisons. */
  function callSettled(call: SettledCall) {
    const { app, model, modelLabel, platform, code } = call;
    if (code === 'OK') {
      const report = reports.get(platform);
      if (report !== undefined && report.state !== 'works') reportWorking(platform);
      missing.clear(app, modelLabel);
      return;
    }
    if (code === 'NOT_FOUND' && model === modelLabel) missing.add(app, model);
  }

  function reportWorking(name: string) {
    note({ name, state: 'works', problem: null });
    if (isLogged(name, 'works')) log.info({ platform: name }, 'platform recovered');
  }

  /** Checks every attempt, since another model of an alias may hide a rejected one. */
  function attemptEnded(attempt: EndedAttempt) {
    if (attempt.account === undefined && attempt.unusable === undefined) return;
    const finding = findingOf(attempt);
    if (finding === undefined) return;
    const { platform: name, model, status, account } = attempt;
    if (reports.get(name)?.problem !== finding.problem) note({ name, ...finding });
    if (account === undefined || !isLogged(name, account)) return;
    log.error({ platform: name, state: finding.state, account, status, model }, finding.problem);
  }
}

/** One model may be rejected while others work, so the state can change with each call. */
function createLogLimit(clock: Pick<Clock, 'monotonic'>) {
  const loggedMs = new Map<string, number>();
  return (platform: string, what: string): boolean => {
    const key = keyOf(platform, what);
    const nowMs = clock.monotonic();
    if (nowMs - (loggedMs.get(key) ?? Number.NEGATIVE_INFINITY) < loggedEveryMs) return false;
    loggedMs.set(key, nowMs);
    return true;
  };
}

/** Without retired models. */
export function checkedPlatforms(
  { platforms: configs, models }: Pick<Config, 'platforms' | 'models'>,
  platforms: ReadonlyMap<string, Platform>,
  nowMs: number,
) {
  const served = models.filter((row) => !isRetiredAt(row, nowMs));
  return configs.flatMap((config) => {
    const { name } = config;
    const baseUrl = baseUrlOf(config);
    const platform = platforms.get(name);
    if (platform === undefined) return [];
    const routeName = routeNameOf(config);
    const route = routeName?.from === undefined ? undefined : routeName.route;
    return [
      { platform, baseUrl, route, expectedModels: served.filter((row) => row.platform === name) },
    ];
  });
}

function unknown(name: string): PlatformReport {
  return { name, state: 'not-asked', problem: null };
}

/** Models that a platform recently reported missing, by app. */
interface MissingModels {
  add(app: string, model: string): void;
  clear(app: string, model: string): void;
  /** True for a minute after the report, and only for this app. */
  has(app: string, model: string): boolean;
}

/** As long as callers are kept from a broken model. Once enabled, a model soon works again. */
const missingMs = 60_000;

const missingMax = 10_000;

/**
 * Another app's project may have the model. Add only models with rows: callers can invent others
 * without limit.
 */
export function createMissingModels(clock: Pick<Clock, 'monotonic'>): MissingModels {
  const untilMs = new Map<string, number>();
  return {
    add(app, model) {
      const key = keyOf(app, model);
      // Delete first: the map must stay in the order of its times.
      untilMs.delete(key);
      untilMs.set(key, clock.monotonic() + missingMs);
      const [oldest] = untilMs.keys();
      if (untilMs.size > missingMax && oldest !== undefined) untilMs.delete(oldest);
    },
    clear(app, model) {
      if (untilMs.size > 0) untilMs.delete(keyOf(app, model));
    },
    has(app, model) {
      if (untilMs.size === 0) return false;
      const until = untilMs.get(keyOf(app, model));
      return until !== undefined && until > clock.monotonic();
    },
  };
}

/** App names contain no space. */
function keyOf(app: string, model: string): string {
  return `${app} ${model}`;
}
