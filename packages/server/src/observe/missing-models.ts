import type { Clock } from '../lib/clock.ts';

/** Models that a platform has just said it does not have, for an app. */
export interface MissingModels {
  /** The platform answered a call of this app's that there is no such model. */
  add(app: string, model: string): void;
  /** The platform answered a call of this app's. */
  clear(app: string, model: string): void;
  /** True for a minute after the platform said so, of this app alone. */
  has(app: string, model: string): boolean;
}

/** As long as callers are kept from what does not work; a model that was enabled is soon back. */
const missingMs = 60_000;

/** Apps and listed models are few; an app with more than this loses the oldest. */
const missingMax = 10_000;

/**
 * Keeps what no list of models should show: another app's project may well have it. Only models
 * that rows name are to be noted, since callers can think of any number of others.
 */
export function createMissingModels(clock: Pick<Clock, 'monotonic'>): MissingModels {
  const untilMs = new Map<string, number>();
  return {
    add(app, model) {
      const key = keyOf(app, model);
      // Anew at its end: the map is in the order of its times.
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

/** No app has a space in its name. */
function keyOf(app: string, model: string): string {
  return `${app} ${model}`;
}
